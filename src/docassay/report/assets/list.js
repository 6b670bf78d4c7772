// The documents of a run as a list: filtered, sorted and turned over as the address says.

import {
  SIGNS,
  WRONG,
  Waiting,
  amount,
  count,
  filtersOf,
  nameOf,
  percent,
  useLoaded,
} from "./base.js";
import { html } from "./preact.js";

const PAGE = 50;
const COLUMNS = [
  ["id", "document", ""],
  ["score", "aligned", "number"],
  ["wrong", "wrong values", "number"],
  ["type", "type", ""],
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
  const open = Object.keys(filters).length > 0 || matchMedia("(min-width: 901px)").matches;
  return html`<details open=${open}>
    <summary>Filters</summary>
    <div class="filters">
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
    </div>
  </details>`;
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
            <td class="number">${amount(line.score, data.ranking?.unit || "share")}</td>
            <td class="number">${line.wrong
              ? amount(line.wrong)
              : html`<span class="right" title="fully correct">${SIGNS.right}</span>`}</td>
            <td class="type">${nameOf(line.type || "", 40)}</td>
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
