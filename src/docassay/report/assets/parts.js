// Parts that several pages share: the frame, tables that sort, values, keys.

import { LONGEST_SHOWN, amount, between, count, nameOf, visible } from "./base.js";
import { Spark } from "./charts.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./preact.js";

const THEMES = ["auto", "light", "dark"];

function storedTheme() {
  try {
    const theme = localStorage.getItem("docassay-theme");
    return THEMES.includes(theme) ? theme : "auto";
  } catch {
    return "auto"; // a page without an origin has no storage
  }
}

export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("docassay-theme", theme);
    } catch {
      // it holds until the page is closed
    }
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`<button
    type="button"
    class="plain"
    title="Colours: ${theme}"
    onClick=${() => setTheme(next)}
  >
    <span aria-hidden="true">${{ auto: "◐", light: "☼", dark: "☾" }[theme]}</span>
    <span class="unseen">Colours: ${theme}. Change to ${next}.</span>
  </button>`;
}

// The frame of every page: name, ways, the one search box, and what the page is about.
export function Frame({ title, links, search, keys, header, children }) {
  const [asked, setAsked] = useState(false);
  useKeys({ "?": () => setAsked(true), Escape: () => setAsked(false) });
  return html`<a class="skip" href="#content" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <div class="row">
        <strong class="brand">docassay</strong>
        <span class="title" title=${nameOf(title, 500)}>${nameOf(title, 80)}</span>
        <nav aria-label="Pages">
          ${links.map(
            (link) =>
              html`<a href=${link.href} aria-current=${link.current ? "page" : null}>
                ${link.name}
              </a>`,
          )}
        </nav>
        ${search && html`<${SearchBox} ...${search} />`}
        <button type="button" class="plain keys-button" onClick=${() => setAsked(true)}>
          <span aria-hidden="true">?</span><span class="unseen">Show the keys</span>
        </button>
        <${ThemeButton} />
      </div>
      ${header}
    </header>
    <main id="content" tabindex="-1">${children}</main>
    ${asked && html`<${KeyList} keys=${keys} close=${() => setAsked(false)} />`}`;
}

function skip(event) {
  event.preventDefault(); // the address holds the view, so it must not become #content
  document.getElementById("content").focus();
}

function SearchBox({ value, change, label }) {
  const box = useRef(null);
  useKeys({ "/": () => box.current.focus() });
  return html`<label class="search">
    <span class="unseen">${label}</span>
    <input
      ref=${box}
      type="search"
      placeholder=${label}
      value=${value}
      spellcheck="false"
      autocomplete="off"
      onInput=${(event) => change(event.target.value)}
    />
  </label>`;
}

// Keys act where nobody types, in either case, and never together with Ctrl, Alt or Meta.
export function useKeys(actions) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const act = (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      const typing = event.target.closest?.("input, select, textarea, [contenteditable]");
      if (typing && event.key !== "Escape" && typing.type !== "range") return;
      const action = latest.current[event.key] || latest.current[event.key.toLowerCase()];
      if (!action) return;
      if (typing) typing.blur();
      event.preventDefault();
      action();
    };
    addEventListener("keydown", act);
    return () => removeEventListener("keydown", act);
  }, []);
}

function KeyList({ keys, close }) {
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  return html`<dialog ref=${dialog} class="keys" aria-label="Keys" onClose=${close}>
    <h2>Keys</h2>
    <dl>
      ${keys.map(([key, meaning]) => html`<dt><kbd>${key}</kbd></dt><dd>${meaning}</dd>`)}
    </dl>
    <button type="button" onClick=${() => dialog.current.close()}>Close</button>
  </dialog>`;
}

export const COMMON_KEYS = [
  ["?", "show the keys"],
  ["/", "search documents"],
];

const highlights = {};

// Marks pieces of one text without splitting it: the value stays one run of text.
function useHighlight(element, pieces, name) {
  useLayoutEffect(() => {
    const text = element.current?.firstChild;
    if (!text || !pieces?.length || !globalThis.CSS?.highlights) return undefined;
    if (!highlights[name]) {
      highlights[name] = new Highlight();
      CSS.highlights.set(name, highlights[name]);
    }
    const ranges = pieces
      .filter(([start]) => start < text.length)
      .map(([start, end]) => {
        const range = new Range();
        range.setStart(text, start);
        range.setEnd(text, Math.min(end, text.length));
        return range;
      });
    ranges.forEach((range) => highlights[name].add(range));
    return () => ranges.forEach((range) => highlights[name].delete(range));
  });
}

// A value of a document as one run of text, cut where it is endless.
export function ValueText({ text, cut, pieces, side }) {
  const [most, setMost] = useState(LONGEST_SHOWN);
  const element = useRef(null);
  const shown = useMemo(() => visible(text.slice(0, most)), [text, most]);
  useHighlight(element, pieces, `${side}-difference`);
  const length = cut || text.length;
  const longer = length > most || cut;
  return html`<span ref=${element} class="value ${side}" dir="auto">${shown}</span>${longer &&
    html`<span class="cut">
      … ${amount(length)} characters
      ${text.length > most &&
      html` <button type="button" class="link" onClick=${() => setMost(10 * most)}>more</button>`}
    </span>`}`;
}

function byColumn(lines, at, better) {
  const cells = (line) => (at === 0 ? line.name : line.values[at - 1]);
  const order = (a, b) => {
    const [left, right] = [cells(a), cells(b)];
    if (left === right) return 0;
    if (left === null || left === undefined) return 1;
    if (right === null || right === undefined) return -1;
    return (left < right ? -1 : 1) * better;
  };
  return [...lines].sort(order);
}

// The lines that are not perfect, by the column with the bar; all, where there is none.
function weakOf(table) {
  const bar = table.columns.findIndex((column) => column.bar);
  const weak = table.lines.filter((line) => bar >= 0 && line.values[bar] !== null && line.values[bar] < 1);
  return weak.length ? weak : table.lines;
}

// The table of a kind of keys: sortable, filterable, the weakest first, its share as a bar. Where
// `weakest` is asked for, perfect lines are shown when all are.
export function KeyTable({ table, most = 12, link, weakest }) {
  const [sort, setSort] = useState(null);
  const [filter, setFilter] = useState("");
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => {
    const wanted = filter.toLowerCase();
    const offered = whole || wanted || !weakest ? table.lines : weakOf(table);
    const kept = offered.filter((line) => line.name.toLowerCase().includes(wanted));
    return sort ? byColumn(kept, sort.at, sort.sign) : kept;
  }, [table, filter, sort, whole]);
  const shown = whole ? lines : lines.slice(0, most);
  const every = table.lines.length;
  const head = (label, at, title) => {
    const sign = sort?.at === at ? sort.sign : 0;
    const sorted = sign ? (sign > 0 ? "ascending" : "descending") : null;
    return html`<th scope="col" aria-sort=${sorted} class=${at ? "number" : ""}>
      <button
        type="button"
        class="sort"
        title=${title || null}
        onClick=${() => setSort({ at, sign: sign > 0 ? -1 : 1 })}
      >
        ${nameOf(label, 40)}<span aria-hidden="true">${sign ? (sign > 0 ? " ▲" : " ▼") : ""}</span>
      </button>
    </th>`;
  };
  return html`<div class="keytable">
    ${(weakest || every > most) &&
    html`<div class="tools">
      <label>
        <span class="unseen">Filter ${table.plural}</span>
        <input
          type="text"
          placeholder="Filter ${table.plural}"
          value=${filter}
          onInput=${(event) => setFilter(event.target.value)}
        />
      </label>
      <button type="button" aria-pressed=${whole} onClick=${() => setWhole(!whole)}>
        ${whole ? "Show the weakest" : `Show all ${count(every, table.kind, table.plural)}`}
      </button>
    </div>`}
    <div class="scroll" tabindex="0" role="region" aria-label=${table.plural}>
      <table>
        <thead>
          <tr>
            ${head(table.kind, 0)}
            ${table.columns.map((column, at) => head(column.label, at + 1, column.meaning))}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (line) => html`<tr key=${line.name}>
              <th scope="row">
                ${link ? html`<a href=${link(line.name)}>${nameOf(line.name)}</a>` : nameOf(line.name)}
              </th>
              ${table.columns.map((column, at) => keyCell(column, line, at))}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${!shown.length && html`<p class="quiet">No name contains “${nameOf(filter)}”.</p>`}
    ${!filter && shown.length < every &&
    html`<p class="quiet">${amount(shown.length)} of ${amount(every)} ${table.plural}.</p>`}
  </div>`;
}

function keyCell(column, line, at) {
  const [value, low, high] = [line.values[at], line.lows?.[at], line.highs?.[at]];
  const text = amount(value, column.unit);
  const interval = between(low, high, column.unit);
  return html`<td class="number" title=${interval && `95 % interval ${interval}`}>
    ${column.bar && html`<${Spark} value=${value} low=${low} high=${high} />`}
    <span>${text}</span>
  </td>`;
}

export function Notes({ notes }) {
  if (!notes?.length) return null;
  return html`<ul class="notes">
    ${notes.map((note) => html`<li>${nameOf(note, 2000)}</li>`)}
  </ul>`;
}
