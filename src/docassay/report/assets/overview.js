// A run: its headline in numbers and words, what to fix first, fields, thresholds, documents.

import {
  SIGNS,
  WRONG,
  Waiting,
  amount,
  between,
  count,
  filtersOf,
  nameOf,
  percent,
  share,
  signed,
  useLoaded,
} from "./base.js";
import { Curve, Gauge, LossByField, Stack, Waterfall } from "./charts.js";
import { KeyTable, Notes } from "./parts.js";
import { html, useState } from "./preact.js";

const PAGE = 50;

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
        ${data.problems?.total > 0 && html`<span class="warn"> · ${nameOf(data.problems.words, 300)}</span>`}
      </p>
      ${first && html`<${FirstLine} line=${first} />`}
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
    ${stacked && corrections.cost != null &&
    html`<p>${nameOf(corrections.currency)} ${amount(corrections.cost, "money")} for 1,000 documents</p>`}
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

const COLUMNS = [
  ["id", "document", ""],
  ["type", "type", ""],
  ["score", "aligned", "number"],
  ["wrong", "wrong values", "number"],
];

// The documents of a run, filtered and sorted as the address says. `list(filters, offset, limit)`
// gives {total, lines}.
export function DocumentsPage({ data, query, list, hrefs, go, extra, suspects, version }) {
  const filters = filtersOf(query);
  const offset = Number(query.offset || 0);
  const loaded = useLoaded(
    () => list(filters, offset, PAGE),
    [JSON.stringify(filters), offset, version],
  );
  const change = (part) => go({ ...filters, ...part }, true);
  const page = loaded.value;
  return html`<section class="part documents" aria-label="Documents">
    <h1>Documents</h1>
    ${data.shown?.note && html`<p class="warn">${nameOf(data.shown.note)}</p>`}
    <${FilterBar} data=${data} filters=${filters} change=${change} suspects=${suspects} />
    ${extra}
    ${page
      ? html`<p role="status" class="quiet">
            ${count(page.total, "document")}${page.total > PAGE
              ? `, ${amount(offset + 1)} to ${amount(Math.min(offset + PAGE, page.total))} shown`
              : ""}
          </p>
          <${DocumentTable} lines=${page.lines} filters=${filters} change=${change} hrefs=${hrefs} data=${data} />
          <${Pager} offset=${offset} total=${page.total}
            turn=${(next) => go({ ...filters, offset: next || "" }, false)} />`
      : html`<${Waiting} error=${loaded.error} />`}
  </section>`;
}

function FilterBar({ data, filters, change, suspects }) {
  const choice = (name, label, values) =>
    values.length > 0 &&
    html`<label class="stacked">${label}
      <select aria-label=${label} value=${filters[name] || ""} onChange=${(event) => change({ [name]: event.target.value })}>
        <option value="">any</option>
        ${values.map((value) => html`<option value=${value}>${nameOf(value, 60)}</option>`)}
      </select>
    </label>`;
  const bound = (name, label) =>
    html`<label class="stacked narrow">${label}
      <input type="number" min="0" max="1" step="0.05" value=${filters[name] || ""}
        onChange=${(event) => change({ [name]: event.target.value })} />
    </label>`;
  return html`<div class="filters">
    ${choice("field", "Wrong field", data.fields || [])}
    ${choice("cause", "Cause", data.cause_names || [])}
    ${choice("type", "Document type", data.types || [])}
    ${choice("verdict", "Verdict", WRONG)} ${bound("least", "From score")} ${bound("most", "To score")}
    <label class="check">
      <input type="checkbox" checked=${filters.wrong === "1"}
        onChange=${(event) => change({ wrong: event.target.checked ? "1" : "" })} />
      only with wrong values
    </label>
    ${suspects &&
    html`<label class="check">
      <input type="checkbox" checked=${filters.sort === "suspects"}
        onChange=${(event) => change({ sort: event.target.checked ? "suspects" : "", desc: "" })} />
      suspects of gold first
    </label>`}
    <button type="button"
      onClick=${() => change(Object.fromEntries(Object.keys(filters).map((name) => [name, ""])))}>
      Show all
    </button>
  </div>`;
}

function DocumentTable({ lines, filters, change, hrefs, data }) {
  const label = data.ranking?.label;
  const sorted = filters.sort || "score";
  const head = ([name, text, kind]) => {
    const here = sorted === name;
    const down = filters.desc === "1";
    return html`<th scope="col" class=${kind} aria-sort=${here ? (down ? "descending" : "ascending") : null}>
      <button type="button" class="sort"
        onClick=${() => change({ sort: name, desc: here && !down ? "1" : "" })}>
        ${name === "score" && label ? nameOf(label) : text}
        <span aria-hidden="true">${here ? (down ? " ▼" : " ▲") : ""}</span>
      </button>
    </th>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="List of documents">
    <table class="list">
      <thead>
        <tr>${COLUMNS.map(head)}<th scope="col">wrong fields</th><th scope="col">causes</th></tr>
      </thead>
      <tbody>
        ${lines.map(
          (line) => html`<tr key=${line.id}>
            <th scope="row"><a href=${hrefs.document(line.id, filters)}>${nameOf(line.id, 80)}</a></th>
            <td>${nameOf(line.type || "", 40)}</td>
            <td class="number">${amount(line.score, data.ranking?.unit || "share")}</td>
            <td class="number">${line.wrong
              ? amount(line.wrong)
              : html`<span class="right" title="fully correct">${SIGNS.right}</span>`}</td>
            <td class="names">${some(line.fields)}${line.problems
              ? html` <span class="warn">${count(line.problems, "problem")}</span>`
              : ""}</td>
            <td class="names">${some(line.causes)}${line.decided
              ? html` <span class="chip right">${count(line.decided, "decision")}</span>`
              : ""}${typeof line.suspect === "number"
              ? html` <span class="suspect">gold suspect, ${percent(line.suspect)}</span>`
              : ""}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${!lines.length && html`<p>No document is like this.</p>`}
  </div>`;
}

function some(names, most = 3) {
  if (!names?.length) return "";
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return names.slice(0, most).map((name) => nameOf(name, 40)).join(", ") + more;
}

function Pager({ offset, total, turn }) {
  if (total <= PAGE) return null;
  return html`<div class="pager">
    <button type="button" disabled=${offset <= 0} onClick=${() => turn(Math.max(0, offset - PAGE))}>
      Previous page
    </button>
    <button type="button" disabled=${offset + PAGE >= total} onClick=${() => turn(offset + PAGE)}>
      Next page
    </button>
  </div>`;
}
