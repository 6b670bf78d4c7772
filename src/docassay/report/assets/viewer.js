// The entry of the viewer: pages of a local server, whose addresses hold exactly what is shown.

import { Waiting, amount, between, count, filtersOf, nameOf, queryText, useLoaded } from "./base.js";
import { ComparisonPage, Leaderboard, PairPage } from "./compare.js";
import { DOCUMENT_KEYS, DocumentPage } from "./document.js";
import { DocumentsPage } from "./list.js";
import { Part, Playground, RunPage } from "./overview.js";
import { COMMON_KEYS, Frame, Notes, useKeys } from "./parts.js";
import { html, render, useEffect, useRef, useState } from "./preact.js";

async function answer(response) {
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(content.error || `the server answered ${response.status}`);
  return content;
}

const ask = (path) => fetch(path, { credentials: "same-origin" }).then(answer);

const tell = (path, content) =>
  fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(content),
  }).then(answer);

const enc = encodeURIComponent;
const runPath = (run) => `/runs/${enc(run)}`;
const runApi = (run) => `/api${runPath(run)}`;

function hrefsOf(run) {
  return {
    documents: (filters) => `${runPath(run)}/documents${queryText(filters)}`,
    document: (id, filters) => `${runPath(run)}/documents/${enc(id)}${queryText(filters)}`,
  };
}

const PATHS = [
  ["leaderboard", /^\/$/],
  ["run", /^\/runs\/([^/]+)\/?$/],
  ["documents", /^\/runs\/([^/]+)\/documents\/?$/],
  ["document", /^\/runs\/([^/]+)\/documents\/(.+)$/],
  ["comparison", /^\/compare\/?$/],
  ["pair", /^\/compare\/documents\/(.+)$/],
];

function routeOf() {
  const query = Object.fromEntries(new URLSearchParams(location.search));
  for (const [page, pattern] of PATHS) {
    const match = pattern.exec(location.pathname);
    if (match) {
      const [first, second] = match.slice(1).map(decodeURIComponent);
      return page === "pair" ? { page, id: first, query } : { page, run: first, id: second, query };
    }
  }
  return { page: "leaderboard", query };
}

function go(href, replace) {
  history[replace ? "replaceState" : "pushState"](null, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}

// Links of the viewer change the page without loading it again; others are left to the browser.
function follow(event) {
  const link = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

function App() {
  const [route, setRoute] = useState(routeOf);
  useEffect(() => {
    const update = () => setRoute(routeOf());
    addEventListener("popstate", update);
    addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener("click", follow);
    };
  }, []);
  useEffect(() => scrollTo(0, 0), [route.page, route.run, route.id]);
  const start = useLoaded(() => ask("/api/start"), []);
  if (!start.value) return html`<main><${Waiting} error=${start.error} /></main>`;
  return html`<${Viewer} start=${start.value} route=${route} />`;
}

const VIEWER_KEYS = [
  ...COMMON_KEYS,
  ["l", "leaderboard"],
  ["o", "overview of the run"],
  ["d", "documents of the run"],
  ...DOCUMENT_KEYS,
  ["t", "take pred for the value in focus"],
  ["b", "both are fine"],
  ["e", "type another value"],
  ["x", "leave gold as it is"],
];

function Viewer({ start, route }) {
  const run = route.run || start.runs[0].key;
  const filters = filtersOf(route.query);
  const hrefs = hrefsOf(run);
  const current = start.runs.find((entry) => entry.key === run);
  const [version, setVersion] = useState(0);
  useTitle(route, current);
  useKeys({
    l: () => go("/"),
    o: () => go(runPath(run)),
    d: () => go(hrefs.documents(filters)),
  });
  const links = [
    { name: "Leaderboard", href: "/", current: route.page === "leaderboard" },
    { name: "Overview", href: runPath(run), current: route.page === "run" },
    { name: "Documents", href: hrefs.documents({}), current: route.page === "documents" },
    ...(start.comparison
      ? [{ name: "Compare", href: "/compare", current: route.page === "comparison" }]
      : []),
  ];
  const compared = route.page === "comparison" || route.page === "pair";
  const search = {
    label: "Search documents",
    value: (compared ? route.query.q : filters.q) || "",
    change: (text) =>
      compared
        ? go(`/compare${queryText({ q: text })}`, route.page === "comparison")
        : go(hrefs.documents({ ...filters, q: text }), route.page === "documents"),
  };
  const header =
    start.review && html`<${ReviewState} run=${run} version=${version} />`;
  const page = { start, route, run, hrefs, filters, version, decided: () => setVersion(version + 1) };
  return html`<${Frame}
    title=${compared || route.page === "leaderboard" ? count(start.runs.length, "run") : current.name}
    links=${links}
    search=${search}
    keys=${VIEWER_KEYS}
    header=${header}
  >
    <${Page} ...${page} />
  <//>`;
}

function useTitle(route, run) {
  useEffect(() => {
    const parts = [route.id, run?.name, "docassay"].filter(Boolean).map((part) => nameOf(part, 80));
    document.title = parts.join(" · ");
  }, [route.id, run?.name]);
}

function Page(props) {
  const pages = {
    leaderboard: StartPage,
    run: OverviewPage,
    documents: ListPage,
    document: OneDocument,
    comparison: ComparedPage,
    pair: ComparedDocument,
  };
  return html`<${pages[props.route.page]} key=${props.run} ...${props} />`;
}

// The score as it is and with what was decided.
function ReviewState({ run, version }) {
  const loaded = useLoaded(() => ask(`${runApi(run)}/review`), [run, version]);
  const review = loaded.value;
  if (!review) return null;
  const [score] = review.scores;
  if (!score) return null;
  return html`<div class="status" role="status">
    <span>${nameOf(score.label)} as is <strong>${amount(score.as_is, score.unit)}</strong></span>
    <span>
      with ${count(review.decisions, "decision")}${" "}
      <strong>${amount(score.with_decisions, score.unit)}</strong>
    </span>
    ${review.unfit?.length > 0 &&
    html`<span class="warn">${count(review.unfit.length, "decision")} no longer fits</span>`}
    <span class="quiet" title=${nameOf(review.file, 500)}>in ${nameOf(review.file.split("/").pop(), 80)}</span>
  </div>`;
}

function StartPage({ start }) {
  const loaded = useLoaded(() => (start.comparison ? ask("/api/compare") : null), []);
  const board =
    loaded.value &&
    html`<h1>${nameOf(loaded.value.sentence, 600)}</h1>
      <${Leaderboard} data=${loaded.value} href=${runPath} />
      <${Notes} notes=${loaded.value.notes} />`;
  return html`<div>
    ${board || html`<h1>${count(start.runs.length, "run")}</h1>`}
    ${loaded.error && html`<${Waiting} error=${loaded.error} />`}
    <${Part} name="Runs">
      <div class="scroll" tabindex="0" role="region" aria-label="Runs">
        <table>
          <thead>
            <tr>
              <th scope="col">run</th>
              <th scope="col" class="number">n</th>
              ${headOf(start).map((label) => html`<th scope="col" class="number">${nameOf(label)}</th>`)}
              <th scope="col">folder</th>
            </tr>
          </thead>
          <tbody>
            ${start.runs.map(
              (entry) => html`<tr>
                <th scope="row"><a href=${runPath(entry.key)}>${nameOf(entry.name)}</a></th>
                <td class="number">${amount(entry.documents)}</td>
                ${headOf(start).map((label) => {
                  const line = entry.headline.find((each) => each.label === label);
                  return html`<td class="number">
                    ${line && amount(line.value, line.unit)}${" "}
                    <span class="quiet">${line && between(line.low, line.high, line.unit)}</span>
                  </td>`;
                })}
                <td class="names">${nameOf(entry.folder, 120)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${start.runs.map((entry) => html`<${Notes} notes=${entry.notes} />`)}
    <//>
  </div>`;
}

function headOf(start) {
  const labels = start.runs.flatMap((entry) => entry.headline.map((line) => line.label));
  return [...new Set(labels.filter(Boolean))].slice(0, 4);
}

function OverviewPage({ run, hrefs, version }) {
  const loaded = useLoaded(
    () => Promise.all([ask(runApi(run)), ask(`${runApi(run)}/documents?wrong=1&limit=5`)]),
    [run, version],
  );
  const curves = useLoaded(() => ask(`${runApi(run)}/thresholds`), [run]);
  if (!loaded.value) return html`<${Waiting} error=${loaded.error} />`;
  const [data, worst] = loaded.value;
  const fields = curves.value && Object.keys(curves.value.fields).length > 0;
  const playground =
    fields && html`<${Playground} curves=${curves.value.fields} />`;
  return html`<${RunPage} data=${data} hrefs=${hrefs} worst=${worst.lines} playground=${playground} />`;
}

function ListPage({ start, route, run, hrefs, filters, version }) {
  const loaded = useLoaded(() => ask(runApi(run)), [run]);
  if (!loaded.value) return html`<${Waiting} error=${loaded.error} />`;
  const list = (kept, offset, limit) =>
    ask(`${runApi(run)}/documents${queryText({ ...kept, offset, limit })}`);
  const exported = (form) => `${runApi(run)}/export${queryText({ ...filters, form })}`;
  return html`<${DocumentsPage}
    data=${loaded.value}
    query=${route.query}
    list=${list}
    hrefs=${hrefs}
    go=${(query, replace) => go(hrefs.documents(query), replace)}
    suspects=${start.suspects}
    version=${version}
    extra=${html`<p>
      Wrong values of this selection as
      ${" "}<a href=${exported("csv")} download>CSV</a> or
      ${" "}<a href=${exported("jsonl")} download>JSONL</a>
    </p>`}
  />`;
}

function OneDocument({ start, route, run, hrefs, filters, version, decided }) {
  const path = `${runApi(run)}/documents/${enc(route.id)}`;
  const loaded = useLoaded(() => ask(path), [path, version]);
  const summary = useLoaded(() => ask(runApi(run)), [run]);
  const [said, setSaid] = useState("");
  const at = useRef(route.id);
  at.current = route.id;
  const step = (back) => async () => {
    const next = await ask(`${runApi(run)}/next${queryText({ ...filters, after: at.current, back })}`);
    setSaid(next.id === null ? `No ${back ? "earlier" : "further"} wrong document in this list.` : "");
    if (next.id !== null) go(hrefs.document(next.id, filters));
  };
  const data = loaded.value;
  if (!data) return html`<${Waiting} error=${loaded.error} />`;
  const review =
    data.reviewable &&
    (async (decision) => {
      await tell(`${runApi(run)}/decisions`, { document: data.id, ...decision });
      decided();
    });
  const images = start.images && {
      list: () => ask(`/api/images/${enc(data.id)}`),
      href: (page) => `/api/pages/${page}/${enc(data.id)}`,
    };
  const others = (data.runs || []).filter((key) => key !== run);
  return html`<${DocumentPage}
    data=${{ ...data, notes: [...(data.run_notes || []), ...(data.notes || [])] }}
    score=${{ value: data.score, label: summary.value?.ranking?.label || "" }}
    steps=${{ next: step(""), previous: step("1"), up: () => go(hrefs.documents(filters)), said }}
    review=${review}
    images=${images}
    beside=${html`${others.map(
        (key) => html`<p>
          <a href="/compare/documents/${enc(data.id)}${queryText({ a: run, b: key })}">
            Compare with ${nameOf(nameOfRun(start, key))}
          </a>
        </p>`,
      )}`}
  />`;
}

const nameOfRun = (start, key) => start.runs.find((entry) => entry.key === key)?.name || key;

function ComparedPage({ route }) {
  const loaded = useLoaded(() => ask("/api/compare"), []);
  if (!loaded.value) return html`<${Waiting} error=${loaded.error} />`;
  return html`<${ComparisonPage}
    data=${loaded.value}
    text=${route.query.q || ""}
    href=${(id) => `/compare/documents/${enc(id)}`}
  />`;
}

function ComparedDocument({ route }) {
  const loaded = useLoaded(() => ask("/api/compare"), []);
  if (!loaded.value) return html`<${Waiting} error=${loaded.error} />`;
  const data = loaded.value;
  const place = (key) => data.runs.findIndex((run) => run.key === key);
  const asked = [route.query.a, route.query.b].filter(Boolean).map(place).filter((run) => run >= 0);
  return html`<${PairPage}
    data=${data}
    id=${route.id}
    runs=${asked.length ? asked : null}
    load=${(run, id) => ask(`${runApi(data.runs[run].key)}/documents/${enc(id)}`).catch(() => null)}
    go=${(id) => go(id === null ? "/compare" : `/compare/documents/${enc(id)}${location.search}`)}
  />`;
}

render(html`<${App} />`, document.getElementById("app"));
