// One document: gold and pred side by side, value by value, rows beside the rows they match.

import {
  MEANINGS,
  SIGNS,
  WRONG,
  amount,
  count,
  differingPieces,
  nameOf,
  percent,
  share,
  visible,
} from "./base.js";
import { Notes, ValueText, useKeys } from "./parts.js";
import { PageView } from "./pages.js";
import { ReviewForm } from "./review.js";
import { html, useEffect, useMemo, useRef, useState } from "./preact.js";

const FEW = 60;

export const DOCUMENT_KEYS = [
  ["n", "next wrong document"],
  ["p", "previous wrong document"],
  ["j", "next wrong value"],
  ["k", "previous wrong value"],
  ["a", "show all values, or only the wrong ones"],
  ["u", "up to the list"],
];

export const isWrong = (value) => WRONG.includes(value.verdict);

// `steps`: {next, previous, up}; `review`: how decisions are sent, where they may be made.
export function DocumentPage({ data, score, steps, review, images, beside }) {
  const values = useMemo(() => data.rows.flatMap((row) => row.values), [data]);
  const wrong = values.filter(isWrong);
  const [all, setAll] = useState(values.length <= FEW || !wrong.length);
  const [chosen, setChosen] = useState(null);
  const focused = useRef(-1);
  const body = useRef(null);
  useEffect(() => {
    focused.current = -1;
    setChosen(null);
    setAll(values.length <= FEW || !wrong.length);
  }, [data.id]);
  const step = (by) => {
    const places = [...body.current.querySelectorAll("[data-wrong]")];
    if (!places.length) return;
    focused.current = (focused.current + by + places.length) % places.length;
    places[focused.current].focus();
    places[focused.current].scrollIntoView({ block: "center" });
  };
  const press = (action) => {
    const line = document.activeElement?.closest?.("[data-wrong]");
    line?.querySelector(`[data-action="${action}"]`)?.click();
  };
  useKeys({
    ...(review && {
      t: () => press("take_pred"),
      b: () => press("both_fine"),
      e: () => press("set"),
      x: () => press("leave"),
    }),
    n: steps.next,
    p: steps.previous,
    u: steps.up,
    a: () => setAll(!all),
    j: () => step(1),
    k: () => step(focused.current < 0 ? 0 : -1),
  });
  const shown = { all, chosen, choose: setChosen, review, alone: data.alone };
  const table = html`<div class="diff ${data.alone ? "alone" : ""}" ref=${body}>
    <${DiffHead} />
    ${data.rows.map((row, at) => html`<${DiffRow} key=${at} row=${row} ...${shown} />`)}
    ${!values.length && html`<p class="quiet">Neither gold nor pred has a value.</p>`}
  </div>`;
  return html`<article class="document">
    <${DocumentHead} data=${data} score=${score} steps=${steps} />
    <${Notes} notes=${data.notes} />
    ${data.problems?.length > 0 && html`<${Problems} problems=${data.problems} />`}
    <div class="tools">
      ${!data.alone &&
      html`<button type="button" aria-pressed=${all} onClick=${() => setAll(!all)}>
        ${all ? "Show only wrong values" : `Show all ${amount(values.length)} values`}
      </button>`}
      ${!data.whole &&
      html`<span class="quiet">The wrong values alone were kept with this run.</span>`}
    </div>
    ${images
      ? html`<div class="beside">
          ${table}
          <${PageView} images=${images} data=${data} chosen=${chosen} choose=${setChosen} />
        </div>`
      : table}
    ${beside}
  </article>`;
}

function DocumentHead({ data, score, steps }) {
  const counts = data.counts;
  return html`<div class="dochead">
    <div class="steps">
      <button type="button" onClick=${steps.up}>List</button>
      <button type="button" onClick=${steps.previous}>Previous wrong</button>
      <button type="button" class="main" onClick=${steps.next}>Next wrong</button>
      <span role="status" class="warn">${steps.said}</span>
    </div>
    <div>
      <h1>${nameOf(data.id, 300)}</h1>
      <p class="quiet">
        ${data.type && html`<span>${nameOf(data.type)} </span>`}
        ${data.gold_where && html`<${Where} side="gold" path=${data.gold_where} />`}
        ${data.pred_where && html`<${Where} side="pred" path=${data.pred_where} />`}
      </p>
    </div>
    <div class="sums">
      ${typeof score?.value === "number" &&
      html`<span class="big">${share(score.value)}<small> ${nameOf(score.label)}</small></span>`}
      ${["right", ...WRONG].map(
        (verdict) =>
          counts[verdict] > 0 &&
          html`<span class="chip ${verdict}">
            <span aria-hidden="true">${SIGNS[verdict]}</span> ${amount(counts[verdict])}
            ${` ${MEANINGS[verdict]}`}
          </span>`,
      )}
      ${counts.moved > 0 && html`<span class="chip moved">⇅ ${amount(counts.moved)} moved</span>`}
    </div>
  </div>`;
}

// Where a side of the document stands: the file and line, the whole path on demand.
function Where({ side, path }) {
  return html`<span title=${nameOf(path, 500)}>${side} ${nameOf(path.split(/[\\/]/).pop())} </span>`;
}

export function Problems({ problems }) {
  return html`<ul class="problems">
    ${problems.map(
      (problem) =>
        html`<li>
          ${problem.side}${problem.field ? ` ${nameOf(problem.field)}` : ""}:
          ${` ${nameOf(problem.message, 400)}`}
        </li>`,
    )}
  </ul>`;
}

function DiffHead() {
  return html`<div class="line head" aria-hidden="true">
    <span>field</span><span>gold</span><span>pred</span><span>why</span>
  </div>`;
}

// A row of a group, or the document's own values: its heading, then its values.
function DiffRow({ row, all, ...shown }) {
  const wrong = row.values.filter(isWrong);
  const values = all ? row.values : wrong;
  if (!values.length && !(all && row.type)) return null;
  return html`<section class="diffrow ${row.state}" aria-label=${rowName(row)}>
    <${RowHead} row=${row} wrong=${wrong.length} review=${shown.review} alone=${shown.alone} />
    ${values.map((value, at) => html`<${DiffValue} key=${at} value=${value} ...${shown} />`)}
  </section>`;
}

const rowName = (row) => (row.type ? nameOf(row.gold || row.pred || row.type) : "document");

const STATES = { added: "no such row in pred", deleted: "no such row in gold" };

function RowHead({ row, wrong, review, alone }) {
  const matched = wrong ? "substituted" : "right";
  const kind = alone ? "value" : row.state === "matched" ? matched : row.state;
  const compared =
    STATES[row.state] ||
    (wrong ? `${amount(wrong)} of ${amount(row.values.length)} wrong` : "all correct");
  const other = !alone && row.state === "matched" && row.pred && row.pred !== row.gold;
  // a row is known by its values: the first ones stand in its heading
  const context = row.values
    .filter((value) => !alone && (!isWrong(value) || row.state !== "matched"))
    .slice(0, 3)
    .map((value) => nameOf(value.gold ?? value.pred ?? "", 40));
  return html`<div class="rowhead">
    <span class="sign ${kind}" aria-hidden="true">${SIGNS[kind]}</span>
    <h2>${rowName(row)}${other ? html`<span class="quiet"> ↔ pred ${nameOf(row.pred)}</span>` : ""}</h2>
    ${row.moved && html`<span class="chip moved">⇅ moved</span>`}
    ${row.type && html`<span class="context">${context.join(" · ")}</span>`}
    <span class="summary ${kind}">${alone ? "" : compared}</span>
    ${review && row.actions?.length > 0 && html`<${ReviewForm} review=${review} about=${row} whole />`}
  </div>`;
}

function DiffValue({ value, chosen, choose, review }) {
  const wrong = isWrong(value);
  const plain = value.verdict === "right" && value.gold === value.pred;
  const differing = useMemo(
    () =>
      value.verdict === "substituted" && value.gold != null && value.pred != null
        ? differingPieces(visible(value.gold.slice(0, 2000)), visible(value.pred.slice(0, 2000)))
        : [null, null],
    [value],
  );
  const placed = value.gold_at?.box || value.pred_at?.box;
  const name = nameOf(value.name || value.field, 120);
  const key = value.gold_path || value.pred_path;
  const field = placed
    ? html`<button type="button" class="link" onClick=${() => choose(key)}>${name}</button>`
    : html`<span>${name}</span>`;
  return html`<div
    class="line ${value.verdict} ${chosen && chosen === key ? "chosen" : ""}"
    tabindex=${wrong ? "-1" : null}
    data-wrong=${wrong ? "" : null}
    data-key=${key}
  >
    <span class="field">
      <span class="sign ${value.verdict}" title=${MEANINGS[value.verdict]} aria-hidden="true">
        ${SIGNS[value.verdict]}
      </span>
      <span class="unseen">${MEANINGS[value.verdict]}: </span>${field}
    </span>
    <${Side} side="gold" text=${value.gold} read=${plain ? null : value.gold_read}
      cut=${value.gold_cut} pieces=${differing[0]} more=${value.any_of} />
    <${Side} side="pred" text=${value.pred} read=${plain ? null : value.pred_read}
      cut=${value.pred_cut} pieces=${differing[1]} />
    <span class="why"><${Why} value=${value} /></span>
    ${review && value.actions?.length > 0 && html`<${ReviewForm} review=${review} about=${value} />`}
  </div>`;
}

function Side({ side, text, read, cut, pieces, more }) {
  const absent = text === null || text === undefined;
  return html`<span class="side">
    <span class="label">${side}</span>
    <span>
      ${absent
        ? html`<span class="absent">–<span class="unseen"> no value</span></span>`
        : html`<${ValueText} text=${text} cut=${cut} pieces=${pieces} side=${side} />`}
      ${read != null && html`<span class="read">read as ${nameOf(read, 300)}</span>`}
      ${more?.length > 1 &&
      html`<span class="read">accepted: ${more.map((text) => nameOf(text, 80)).join(" or ")}</span>`}
    </span>
  </span>`;
}

const MOVED = { row: "moved to another row", field: "moved to another field" };

function Why({ value }) {
  const parts = [];
  if (isWrong(value) || value.gold !== value.pred) {
    if (value.reason) parts.push(html`<span>${nameOf(value.reason, 300)}</span>`);
  }
  if (value.cause) parts.push(html`<span class="cause">${nameOf(value.cause)}</span>`);
  if (value.moved) parts.push(html`<span class="cause">${MOVED[value.moved] || value.moved}</span>`);
  if (typeof value.confidence === "number" && isWrong(value)) {
    parts.push(html`<span class="quiet">confidence ${share(value.confidence)}</span>`);
  }
  if (value.suspect) {
    parts.push(
      html`<span class="suspect" title=${value.suspect.evidence?.map((text) => nameOf(text)).join("; ")}>
        gold is suspect, ${percent(value.suspect.score)}
      </span>`,
    );
  }
  return parts;
}

export function wrongWords(line) {
  return line.wrong ? count(line.wrong, "wrong value") : "fully correct";
}
