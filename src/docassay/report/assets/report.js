// The entry of a report in one file: its data stand in the page, packed, and are opened on demand.

import { Waiting, filtersOf, nameOf, queryText, useLoaded } from "./base.js";
import { ComparisonPage, PairPage } from "./compare.js";
import { DOCUMENT_KEYS, DocumentPage } from "./document.js";
import { DocumentsPage } from "./list.js";
import { RunPage } from "./overview.js";
import { COMMON_KEYS, Frame, useKeys } from "./parts.js";
import { html, render, useEffect, useState } from "./preact.js";

async function unpacked(id) {
  const packed = document.getElementById(id).textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const opened = new Map();

function once(id) {
  if (!opened.has(id)) opened.set(id, unpacked(id));
  return opened.get(id);
}

// The documents of a run stand in parts of so many, in the order of their ids.
async function documentOf(data, run, id) {
  const place = data.ids[run].indexOf(id);
  if (place < 0) return null;
  const part = await once(`documents-${run}-${Math.floor(place / data.part)}`);
  return part[place % data.part];
}

function routeOf() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, ...rest] = path.split("/");
  const id = rest.length ? decodeURIComponent(rest.join("/")) : null;
  return { page: page || "run", id, query: Object.fromEntries(new URLSearchParams(query)) };
}

const hrefs = {
  documents: (filters) => `#/documents${queryText(filters)}`,
  document: (id, filters) => `#/documents/${encodeURIComponent(id)}${queryText(filters)}`,
};

function go(href, replace) {
  if (replace) {
    history.replaceState(null, "", href);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = href;
}

function matches(line, filters) {
  const text = (filters.q || "").toLowerCase();
  return (
    (!text || line.id.toLowerCase().includes(text)) &&
    (!filters.field || line.fields?.includes(filters.field)) &&
    (!filters.cause || line.causes?.includes(filters.cause)) &&
    (!filters.type || line.type === filters.type) &&
    (!filters.verdict || line.verdicts?.includes(filters.verdict)) &&
    (!filters.least || line.score >= Number(filters.least)) &&
    (!filters.most || line.score <= Number(filters.most)) &&
    (filters.wrong !== "1" || line.wrong > 0)
  );
}

// The order of the list: as the report has it (worst first), or by a column; ties keep that order.
function chosen(lines, filters) {
  const kept = lines.filter((line) => matches(line, filters));
  if (filters.sort && filters.sort !== "score") {
    const name = filters.sort;
    kept.sort((a, b) => (a[name] < b[name] ? -1 : a[name] > b[name] ? 1 : 0));
  }
  return filters.desc === "1" ? kept.reverse() : kept;
}

function neighbour(lines, filters, id, by) {
  const kept = chosen(lines, filters);
  for (let at = kept.findIndex((line) => line.id === id) + by; kept[at]; at += by) {
    if (kept[at].wrong) return kept[at].id;
  }
  return null;
}

function ReportDocument({ data, route }) {
  const filters = filtersOf(route.query);
  const loaded = useLoaded(() => documentOf(data, 0, route.id), [route.id]);
  const [said, setSaid] = useState("");
  const step = (by) => () => {
    const next = neighbour(data.list, filters, route.id, by);
    setSaid(next === null ? `No ${by < 0 ? "earlier" : "further"} wrong document in this list.` : "");
    if (next !== null) go(hrefs.document(next, filters));
  };
  const up = () => go(hrefs.documents(filters));
  const line = data.list.find((entry) => entry.id === route.id);
  if (loaded.error || !loaded.settled) return html`<${Waiting} error=${loaded.error} />`;
  if (!loaded.value) {
    const kept = line ? "does not hold the values of" : "has no document";
    return html`<h1>This report ${kept} ${nameOf(route.id)}</h1>`;
  }
  return html`<${DocumentPage}
    data=${loaded.value}
    score=${{ value: line?.score, label: data.ranking?.label }}
    steps=${{ next: step(1), previous: step(-1), up, said }}
  />`;
}

function RunReport({ data, route }) {
  const filters = filtersOf(route.query);
  useKeys({ o: () => go("#/"), d: () => go("#/documents") });
  useEffect(() => scrollTo(0, 0), [route.page, route.id]);
  const links = [
    { name: "Overview", href: "#/", current: route.page === "run" },
    { name: "Documents", href: "#/documents", current: route.page === "documents" && route.id === null },
  ];
  const search = {
    label: "Search documents",
    value: filters.q || "",
    change: (text) => go(hrefs.documents({ ...filters, q: text }), route.page === "documents" && route.id === null),
  };
  const keys = [...COMMON_KEYS, ["o", "overview"], ["d", "documents"], ...DOCUMENT_KEYS];
  const body =
    route.page !== "documents"
      ? html`<${RunPage} data=${data} hrefs=${hrefs} worst=${data.list.filter((line) => line.wrong).slice(0, 5)} />`
      : route.id !== null
        ? html`<${ReportDocument} data=${data} route=${route} />`
        : html`<${DocumentsPage}
            data=${data}
            query=${route.query}
            list=${(kept, offset, limit) => {
              const lines = chosen(data.list, kept);
              return { total: lines.length, lines: lines.slice(offset, offset + limit) };
            }}
            hrefs=${hrefs}
            go=${(query, replace) => go(hrefs.documents(query), replace)}
          />`;
  return html`<${Frame} title=${data.name} links=${links} search=${search} keys=${keys}>${body}<//>`;
}

function ComparisonReport({ data, route }) {
  const [text, setText] = useState("");
  useEffect(() => scrollTo(0, 0), [route.page, route.id]);
  useKeys({ o: () => go("#/") });
  const links = [{ name: "Comparison", href: "#/", current: route.id === null }];
  const search = {
    label: "Search documents",
    value: text,
    change: (value) => {
      setText(value);
      if (route.id !== null) go("#/");
    },
  };
  const keys = [...COMMON_KEYS, ["o", "the comparison"], ...DOCUMENT_KEYS.slice(0, 2)];
  const body =
    route.id === null
      ? html`<${ComparisonPage} data=${data} text=${text} href=${(id) => hrefs.document(id, {})} />`
      : html`<${PairPage}
          data=${data}
          id=${route.id}
          load=${(run, id) => documentOf(data, run, id)}
          go=${(id) => go(id === null ? "#/" : hrefs.document(id, {}))}
        />`;
  return html`<${Frame} title=${data.name} links=${links} search=${search} keys=${keys}>${body}<//>`;
}

function App() {
  const [route, setRoute] = useState(routeOf);
  useEffect(() => {
    const update = () => setRoute(routeOf());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  const loaded = useLoaded(() => once("data"), []);
  if (!loaded.value) return html`<main><${Waiting} error=${loaded.error} /></main>`;
  const page = loaded.value.kind === "comparison" ? ComparisonReport : RunReport;
  return html`<${page} data=${loaded.value} route=${route} />`;
}

render(html`<${App} />`, document.getElementById("app"));
