// Runs beside each other: the leaderboard, what differs and how sure that is, documents that changed.

import {
  Waiting,
  amount,
  between,
  chance,
  count,
  nameOf,
  share,
  signed,
  useLoaded,
} from "./base.js";
import { Forest, Spark } from "./charts.js";
import { isWrong } from "./document.js";
import { Part, capital } from "./overview.js";
import { Notes, ValueText, useKeys } from "./parts.js";
import { html, useMemo, useState } from "./preact.js";

const [FEW_SCORES, FEW_KEYS, MOST_BARS, PAGE_ROWS] = [8, 15, 25, 50];

export function ComparisonPage({ data, text, href }) {
  const scores = useMemo(
    () => new Map(data.scores.map((entry) => [entry.address, entry])),
    [data],
  );
  const chosen = (addresses) => addresses.map((address) => scores.get(address));
  const slices = chosen(data.slices);
  return html`<div class="comparison">
    <section class="verdict" aria-label="Verdict">
      <h1>${nameOf(data.sentence, 600)}</h1>
      <p class="quiet">
        ${count(data.documents_compared, "document")} compared by ${nameOf(data.label)}; changes are
        against ${` ${nameOf(data.runs[data.against].name)}`}.
      </p>
    </section>
    <${Leaderboard} data=${data} />
    <${Notes} notes=${data.notes} />
    <${Part} name="Main scores">
      <${ScoreTable} data=${data} entries=${chosen(data.main)} most=${FEW_SCORES} noun="score" />
    <//>
    ${slices.length > 0 &&
    html`<${Part} name="${nameOf(data.label)} by slice">
      <${ScoreTable} data=${data} entries=${slices} most=${FEW_KEYS} noun="slice" />
    <//>`}
    ${data.kinds.map(
      ({ kind, addresses }) =>
        addresses.length > 0 &&
        html`<${Part} key=${kind} name="${nameOf(scores.get(addresses[0]).label)} by ${kind}"
          about="the surest and largest changes first">
          <${Differences} data=${data} entries=${chosen(addresses)} kind=${kind} />
          <${ScoreTable} data=${data} entries=${chosen(addresses)} most=${FEW_KEYS} noun=${kind} />
        <//>`,
    )}
    ${data.causes.length > 0 && html`<${CauseTable} data=${data} />`}
    <${ChangedDocuments} data=${data} text=${text} href=${href} />
    <footer class="quiet"><p>docassay ${data.docassay}</p></footer>
  </div>`;
}

export function Leaderboard({ data, href }) {
  return html`<${Part} name="Leaderboard" about="runs that a test cannot tell apart share a place">
    <div class="scroll" tabindex="0" role="region" aria-label="Leaderboard">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">place</th>
            <th scope="col">run</th>
            <th scope="col" class="number">${nameOf(data.label)}</th>
            <th scope="col">95 % interval</th>
            <th scope="col">against ${nameOf(data.runs[data.against].name, 40)}</th>
            <th scope="col">tied with</th>
            <th scope="col" class="number">documents</th>
          </tr>
        </thead>
        <tbody>
          ${data.standings.map((place) => {
            const run = data.runs[place.run];
            return html`<tr>
              <td class="number">${place.place}</td>
              <th scope="row">${href ? html`<a href=${href(run.key)}>${nameOf(run.name)}</a>` : nameOf(run.name)}</th>
              <td class="number">
                <${Spark} value=${place.value} low=${place.low} high=${place.high} />
                <span>${share(place.value)}</span>
              </td>
              <td>${between(place.low, place.high)}</td>
              <td>
                <${VerdictWord} verdict=${place.verdict} />
                <span class="quiet"> ${(place.words || "").replace(/^\w+,? ?/, "").replaceAll("-", "−")}</span>
              </td>
              <td>${place.tied.map((other) => nameOf(data.runs[other].name, 40)).join(", ")}</td>
              <td class="number">${amount(run.documents)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  <//>`;
}

function VerdictWord({ verdict }) {
  if (!verdict) return null;
  return html`<span class="outcome ${verdict}">${verdict}</span>`;
}

function ScoreTable({ data, entries, most, noun }) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? entries : entries.slice(0, most);
  const others = data.runs.map((_, run) => run).filter((run) => run !== data.against);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Scores by ${noun}">
      <table>
        <thead>
          <tr>
            <th scope="col">${noun}</th>
            ${data.runs.map((run) => html`<th scope="col" class="number">${nameOf(run.name, 40)}</th>`)}
            ${others.map((run) => html`<th scope="col">
              change${others.length > 1 ? ` of ${nameOf(data.runs[run].name, 30)}` : ""}
            </th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (entry) => html`<tr>
              <th scope="row">${nameOf(entry.slice || entry.key || entry.label, 80)}</th>
              ${entry.values.map(
                (value, run) => html`<td class="number ${entry.winner === run ? "winner" : ""}">
                  ${amount(value, entry.unit)}
                </td>`,
              )}
              ${others.map((run) => html`<td><${Change} entry=${entry} run=${run} /></td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${entries.length > most &&
    html`<button type="button" aria-pressed=${whole} onClick=${() => setWhole(!whole)}>
      ${whole ? `Show the first ${most}` : `Show all ${amount(entries.length)}`}
    </button>`}`;
}

function Change({ entry, run }) {
  const difference = entry.differences.find((each) => each.run === run);
  if (!difference || difference.value === null) return null;
  return html`<span class="change">
    <span class="number">${signed(difference.value, entry.unit)}</span>
    <span class="quiet">${changeInterval(difference, entry.unit)} ${chance(difference.p_adjusted)}</span>
    <${VerdictWord} verdict=${difference.verdict} />
  </span>`;
}

function changeInterval({ low, high }, unit) {
  return typeof low === "number" ? `[${signed(low, unit)}, ${signed(high, unit)}]` : "";
}

function Differences({ data, entries, kind }) {
  const rows = entries
    .flatMap((entry) =>
      entry.differences.map((each) => ({
        ...each,
        name: data.runs.length > 2 ? `${entry.key}, ${data.runs[each.run].name}` : entry.key,
      })),
    )
    .filter((row) => row.value !== null)
    .slice(0, MOST_BARS);
  if (!rows.length) return null;
  const title = `${data.label}: change by ${kind}, with 95 % interval`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
    <${Forest} rows=${rows} title=${title} />
  </div>`;
}

function CauseTable({ data }) {
  const others = data.runs.map((_, run) => run).filter((run) => run !== data.against);
  return html`<${Part} name="Why" about="wrong values by cause, and what each adds to the change">
    <div class="scroll" tabindex="0" role="region" aria-label="Causes">
      <table>
        <thead>
          <tr>
            <th scope="col">cause</th>
            ${data.runs.map((run) => html`<th scope="col" class="number">${nameOf(run.name, 40)}</th>`)}
            ${others.map((run) => html`<th scope="col" class="number">points, ${nameOf(data.runs[run].name, 30)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${data.causes.map(
            (cause) => html`<tr>
              <th scope="row">${nameOf(cause.cause)}</th>
              ${cause.values.map((value) => html`<td class="number">${amount(value)}</td>`)}
              ${cause.differences.map((value) => html`<td class="number">${signed(value)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  <//>`;
}

function ChangedDocuments({ data, text, href }) {
  const [most, setMost] = useState(PAGE_ROWS);
  const wanted = (text || "").toLowerCase();
  const kept = useMemo(
    () => data.documents.filter((line) => line.id.toLowerCase().includes(wanted)),
    [data, wanted],
  );
  return html`<${Part} name="Documents that changed" about="the largest change first">
    ${data.documents_left_out > 0 &&
    html`<p class="warn">${count(data.documents_left_out, "further document")} changed less.</p>`}
    <p role="status" class="quiet">${count(kept.length, "document")}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Documents that changed">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">document</th>
            ${data.runs.map((run) => html`<th scope="col" class="number">${nameOf(run.name, 40)}</th>`)}
            <th scope="col" class="number">change</th>
            <th scope="col">became</th>
          </tr>
        </thead>
        <tbody>
          ${kept.slice(0, most).map(
            (line) => html`<tr key=${line.id}>
              <th scope="row"><a href=${href(line.id)}>${nameOf(line.id, 80)}</a></th>
              ${line.values.map((value) => html`<td class="number">${share(value)}</td>`)}
              <td class="number">${signed(line.change)}</td>
              <td>${[...new Set(line.states)].filter(Boolean).map(
                (state) => html`<span class="outcome ${state}">${state}</span>`,
              )}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${kept.length > most &&
    html`<button type="button" onClick=${() => setMost(most + 10 * PAGE_ROWS)}>Show more</button>`}
  <//>`;
}

// One document in several runs: values lined up by where gold has them.
export function PairPage({ data, id, load, go, runs }) {
  const chosen = runs || data.runs.map((_, run) => run);
  const loaded = useLoaded(() => Promise.all(chosen.map((run) => load(run, id))), [id, chosen.join()]);
  const order = data.documents.map((line) => line.id);
  const step = (by) => () => {
    const next = order[order.indexOf(id) + by];
    if (next !== undefined) go(next);
  };
  useKeys({ n: step(1), p: step(-1), u: () => go(null) });
  if (!loaded.value) return html`<${Waiting} error=${loaded.error} />`;
  const line = data.documents.find((entry) => entry.id === id);
  return html`<article class="document">
    <div class="dochead">
      <h1>${nameOf(id, 300)}</h1>
      <div class="sums">
        ${chosen.map((run, at) => {
          const score = loaded.value[at]?.score ?? line?.values[run];
          return html`<span class="chip">${nameOf(data.runs[run].name, 40)} ${share(score)}</span>`;
        })}
      </div>
      <div class="steps">
        <button type="button" onClick=${() => go(null)}>Comparison</button>
        <button type="button" onClick=${step(-1)}>Previous changed</button>
        <button type="button" class="main" onClick=${step(1)}>Next changed</button>
      </div>
    </div>
    <${PairTable} documents=${loaded.value} names=${chosen.map((run) => data.runs[run].name)} />
  </article>`;
}

function linedUp(documents) {
  const lines = new Map();
  documents.forEach((data, run) => {
    for (const row of data?.rows || []) {
      for (const value of row.values) {
        // what gold lacks stands alone: two runs may both have added it, each in its own place
        const key = value.gold_path ? `gold ${value.gold_path}` : `${run} ${value.pred_path}`;
        if (!lines.has(key)) {
          lines.set(key, {
            field: value.gold_path || value.pred_path || value.field,
            gold: value.gold,
            preds: documents.map(() => null),
          });
        }
        lines.get(key).preds[run] = value;
      }
    }
  });
  return [...lines.values()];
}

function PairTable({ documents, names }) {
  const [all, setAll] = useState(false);
  const whole = documents.every((data) => data?.whole);
  const lines = useMemo(() => linedUp(documents), [documents]);
  const shown = all ? lines : lines.filter((line) => line.preds.some((value) => value && isWrong(value)));
  return html`<div class="tools">
      ${whole &&
      html`<button type="button" aria-pressed=${all} onClick=${() => setAll(!all)}>
        ${all ? "Show only wrong values" : `Show all ${amount(lines.length)} values`}
      </button>`}
      ${documents.some((data) => !data) &&
      html`<span class="quiet">What this document holds was not kept for every run.</span>`}
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="Values">
      <table class="pair">
        <thead>
          <tr>
            <th scope="col">value</th>
            <th scope="col">gold</th>
            ${names.map((name) => html`<th scope="col">${nameOf(name, 60)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (line) => html`<tr>
              <th scope="row">${nameOf(line.field, 80)}</th>
              <td>${line.gold != null ? html`<${ValueText} text=${line.gold} side="gold" />` : html`<span class="absent">–</span>`}</td>
              ${line.preds.map((value, run) => html`<td class=${value ? value.verdict : ""}>
                <${PairCell} value=${value} line=${line} kept=${documents[run]} />
              </td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${!shown.length && html`<p class="quiet">${capital("nothing is wrong in any of these runs")}.</p>`}`;
}

function PairCell({ value, line, kept }) {
  if (!value) {
    const right = kept && line.gold != null;
    return html`<span class="absent">${right ? "✓ as gold" : "–"}</span>`;
  }
  return html`${value.pred != null
      ? html`<${ValueText} text=${value.pred} cut=${value.pred_cut} side="pred" />`
      : html`<span class="absent">– missing</span>`}
    ${isWrong(value) && html`<span class="read">${nameOf(value.reason || "", 200)}${value.cause ? ` · ${nameOf(value.cause)}` : ""}</span>`}`;
}
