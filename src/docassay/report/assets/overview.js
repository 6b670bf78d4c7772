// A run: its headline in numbers and words, what to fix first, fields, thresholds, documents.

import { amount, between, count, nameOf, percent, share, signed } from "./base.js";
import { Curve, Gauge, LossByField, Stack, Waterfall } from "./charts.js";
import { KeyTable, Notes } from "./parts.js";
import { html, useState } from "./preact.js";

// `hrefs`: how addresses of documents and of filtered lists are written.
export function RunPage({ data, hrefs, worst, playground }) {
  const [fields, ...others] = data.tables;
  return html`<div class="run">
    <${Headline} data=${data} worst=${worst} hrefs=${hrefs} />
    <${Notes} notes=${data.notes} />
    ${data.slices && html`<${Part} name="Slices"><${KeyTable} table=${data.slices} /><//>`}
    ${fields &&
    html`<${Part} name=${capital(fields.plural)} about="weakest first">
      <${KeyTable}
        table=${fields}
        weakest
        link=${fields.kind === "field" ? (name) => hrefs.documents({ field: name }) : null}
      />
    <//>`}
    <${Losses} data=${data} hrefs=${hrefs} />
    ${playground ||
    (data.thresholds &&
      html`<${Playground} curves=${{ "": data.thresholds }} />`)}
    ${others.length > 0 &&
    html`<div class="columns">
      ${others.map(
        (table) => html`<${Part} key=${table.kind} name=${capital(table.plural)}>
          <${KeyTable} table=${table} most=${8}
            link=${table.kind === "document type" ? (name) => hrefs.documents({ type: name }) : null} />
        <//>`,
      )}
    </div>`}
    <${Sections} sections=${data.sections.filter((section) => !section.summary_only)} />
    ${data.problems?.total > 0 && html`<${DataProblems} problems=${data.problems} hrefs=${hrefs} />`}
    <footer class="quiet">
      <p>docassay ${data.docassay} · signature <code>${nameOf(data.signature, 600)}</code></p>
    </footer>
  </div>`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function Part({ name, about, children }) {
  return html`<section class="part" aria-label=${name}>
    <h2>${name}${about && html`<small class="quiet"> ${about}</small>`}</h2>
    ${children}
  </section>`;
}

// The first line large, the others beside it; a line without label continues the one before.
function Headline({ data, worst, hrefs }) {
  const lines = [];
  for (const line of data.headline) {
    if (line.label || !lines.length) lines.push({ ...line, more: [] });
    else lines[lines.length - 1].more.push(line.meaning);
  }
  const [first, ...rest] = lines;
  return html`<section class="headline" aria-label="Headline">
    <div class="facts">
      <p class="quiet">
        ${count(data.documents, "document")}${data.about && `; ${nameOf(data.about, 400)}`}
        ${data.shown?.note && html`<span class="warn"> · ${nameOf(data.shown.note)}</span>`}
        ${data.problems?.total > 0 && html`<span class="warn"> · ${nameOf(data.problems.words, 300)}</span>`}
      </p>
      ${first && html`<${FirstLine} line=${first} />`}
      ${data.sections
        .filter((section) => section.summary_only && !section.tables.length)
        .flatMap((section) => section.above)
        .map((sentence) => html`<p class="quiet">${nameOf(sentence, 600)}</p>`)}
      <div class="cards">
        ${rest.map((line) => html`<${Card} key=${line.address} line=${line} data=${data} />`)}
      </div>
    </div>
    <div class="first-causes">
      ${data.causes.length > 0 && html`<${Causes} causes=${data.causes.slice(0, 5)} hrefs=${hrefs} />`}
      ${worst.length > 0 && html`<${Worst} lines=${worst} hrefs=${hrefs} />`}
    </div>
  </section>`;
}

function FirstLine({ line }) {
  const interval = between(line.low, line.high, line.unit);
  return html`<div class="first">
    <h1>
      <span class="label">${nameOf(line.label)}</span>
      <span class="figure">${amount(line.value, line.unit)}</span>
      <span class="interval">
        ${interval ? `${interval}` : line.reason && `[${nameOf(line.reason)}]`}
        ${interval && html`<small class="quiet"> 95 % interval</small>`}
      </span>
    </h1>
    ${line.unit === "share" &&
    html`<${Gauge} value=${line.value} low=${line.low} high=${line.high} label=${line.label} />`}
    <p class="meaning">${nameOf(line.meaning, 400)}</p>
    ${line.more.map((text) => html`<p class="meaning">${nameOf(text, 400)}</p>`)}
  </div>`;
}

const KINDS = { substitutions: "substituted", additions: "added", deletions: "deleted" };

function Card({ line, data }) {
  const corrections = data.corrections;
  const stacked = line.address.endsWith(".corrections") && corrections;
  return html`<div class="card">
    <h2>${nameOf(line.label)}</h2>
    <p class="figure">
      ${amount(line.value, line.unit)}
      <small class="quiet"> ${between(line.low, line.high, line.unit)}</small>
    </p>
    ${stacked &&
    html`<${Stack}
      label="corrections"
      parts=${Object.entries(KINDS).map(([name, kind]) => ({ name, kind, value: corrections[name] }))}
    />`}
    <p>${nameOf(line.meaning, 400)}</p>
    ${line.more.map((text) => html`<p>${nameOf(text, 400)}</p>`)}
  </div>`;
}

function Causes({ causes, hrefs }) {
  return html`<section aria-label="Most common causes">
    <h2>Most common causes</h2>
    <table class="small">
      <thead>
        <tr>
          <th scope="col">cause</th>
          <th scope="col" class="number">values</th>
          <th scope="col" class="number">fixing it gives</th>
        </tr>
      </thead>
      <tbody>
        ${causes.map(
          (cause) => html`<tr>
            <th scope="row">
              <a href=${hrefs.documents({ cause: cause.cause })}>${nameOf(cause.cause)}</a>
            </th>
            <td class="number">${amount(cause.values)}</td>
            <td class="number">${signed(cause.gain)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function Worst({ lines, hrefs }) {
  return html`<section aria-label="Worst documents">
    <h2>Worst documents</h2>
    <ol class="worst">
      ${lines.map(
        (line) => html`<li>
          <a href=${hrefs.document(line.id, {})}>${nameOf(line.id, 60)}</a>
          <span class="number">${share(line.score)}</span>
        </li>`,
      )}
    </ol>
  </section>`;
}

function Losses({ data }) {
  const corrections = data.corrections;
  if (!data.waterfalls.length && !corrections?.fields?.length && !data.loss_by_field.length) return null;
  return html`<div class="columns">
    ${data.waterfalls.slice(0, 1).map(
      (waterfall) => html`<${Part} name="Where the score is lost" about="from 1 down, by cause">
        <div class="scroll" tabindex="0" role="region" aria-label="Waterfall">
          <${Waterfall} waterfall=${waterfall} />
        </div>
      <//>`,
    )}
    <div>
      ${corrections?.fields?.length > 0 &&
      html`<${Part} name="What correcting costs" about="for 1,000 documents">
        <${EffortTable} corrections=${corrections} />
      <//>`}
      ${data.loss_by_field.length > 0 &&
      html`<${Part} name="Corrections by field">
        <${LossByField} fields=${data.loss_by_field.slice(0, 8)} />
      <//>`}
    </div>
  </div>`;
}

function EffortTable({ corrections }) {
  const priced = corrections.fields.some((line) => line.cost != null);
  const currency = corrections.currency ? ` (${nameOf(corrections.currency)})` : "";
  const columns = [
    { label: "corrections", unit: "count" },
    { label: "hours", unit: "hours" },
    ...(priced ? [{ label: `cost${currency}`, unit: "money" }] : []),
  ];
  const lines = corrections.fields.map((line) => ({
    name: line.field,
    values: [line.corrections, line.hours, ...(priced ? [line.cost] : [])],
  }));
  return html`<${KeyTable} table=${{ kind: "field", plural: "fields", columns, lines }} most=${5} />`;
}

// A threshold to move over points that were worked out before.
export function Playground({ curves }) {
  const names = Object.keys(curves);
  const [field, setField] = useState("");
  const { points } = curves[field] || curves[names[0]];
  const [place, setPlace] = useState(Math.floor(points.length / 2));
  const at = Math.min(place, points.length - 1);
  const point = points[at];
  if (!point) return null;
  const tau = point.tau == null ? "above all" : point.tau.toFixed(3);
  return html`<${Part} name="Automation" about="values of high confidence go unreviewed">
    <div class="playground">
      <div class="scroll" tabindex="0" role="region" aria-label="Automation curve">
        <${Curve} points=${points} chosen=${at} />
      </div>
      <div>
        ${names.length > 1 &&
        html`<label class="stacked">Field
          <select aria-label="Field" value=${field} onChange=${(event) => setField(event.target.value)}>
            ${names.map((name) => html`<option value=${name}>${name ? nameOf(name, 60) : "all fields"}</option>`)}
          </select>
        </label>`}
        <label class="stacked">Threshold: <output>${tau}</output>
          <input
            type="range"
            min="0"
            max=${points.length - 1}
            value=${at}
            aria-valuetext="threshold ${tau}"
            onInput=${(event) => setPlace(Number(event.target.value))}
          />
        </label>
        <dl class="point" aria-live="polite">
          <dt>values nobody reviews</dt><dd>${percent(point.auto_rate)}</dd>
          <dt>aligned after review</dt><dd>${share(point.aligned)}</dd>
          <dt>wrong among the unreviewed</dt><dd>${percent(point.error_rate)}</dd>
          ${point.touchless != null &&
          html`<dt>documents nobody touches</dt><dd>${percent(point.touchless)}</dd>`}
          ${point.touchless_right != null &&
          html`<dt>of those fully correct</dt><dd>${percent(point.touchless_right)}</dd>`}
        </dl>
      </div>
    </div>
  <//>`;
}

// What metrics have to say beyond single numbers, in their own words and tables.
function Sections({ sections }) {
  if (!sections.length) return null;
  return html`<${Part} name="In words" about="what else the metrics say">
    ${sections.map(
      (section) => html`<details class="section">
        <summary>${nameOf(section.title, 200)}</summary>
        ${section.above.map((sentence) => html`<p>${nameOf(sentence, 1000)}</p>`)}
        ${section.tables.map((table) => html`<${TextTable} table=${table} name=${section.title} />`)}
        ${section.below.map((sentence) => html`<p>${nameOf(sentence, 1000)}</p>`)}
      </details>`,
    )}
  <//>`;
}

// A table of texts; a column holds names (n), words (l) or numbers (r).
function TextTable({ table, name }) {
  const kind = (at) => (table.sides[at] === "r" ? "number" : "");
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${nameOf(name, 200)}>
    <table class="small">
      <thead>
        <tr>${table.head.map((text, at) => html`<th scope="col" class=${kind(at)}>${nameOf(text)}</th>`)}</tr>
      </thead>
      <tbody>
        ${table.rows.map(
          (row) => html`<tr>${row.map((cell, at) => html`<td class=${kind(at)}>${nameOf(cell, 400)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function DataProblems({ problems, hrefs }) {
  return html`<${Part} name="Problems in the data" about=${nameOf(problems.words, 200)}>
    <details>
      <summary>
        ${problems.first.length < problems.total
          ? `The first ${amount(problems.first.length)} of ${amount(problems.total)}`
          : count(problems.total, "problem")}
      </summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Problems">
        <table class="small">
          <thead>
            <tr>
              ${["document", "side", "where", "field", "problem"].map(
                (name) => html`<th scope="col">${name}</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${problems.first.map(
              (problem) => html`<tr>
                <td>
                  ${problem.document &&
                  html`<a href=${hrefs.document(problem.document, {})}>${nameOf(problem.document, 60)}</a>`}
                </td>
                <td>${nameOf(problem.side || "")}</td>
                <td>${nameOf(problem.where || "", 80)}</td>
                <td>${nameOf(problem.field || "", 60)}</td>
                <td>${nameOf(problem.message, 400)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  <//>`;
}
