// The pages of a document as pictures, with the boxes of gold and pred; a box and its value show
// each other.

import { Waiting, amount, nameOf, useLoaded } from "./base.js";
import { html, useEffect, useRef, useState } from "./preact.js";

const ZOOMS = [1, 1.5, 2, 3, 4];

function placedValues(data) {
  return data.rows
    .flatMap((row) => row.values)
    .flatMap((value) =>
      ["gold", "pred"]
        .map((side) => ({ side, value, place: value[`${side}_at`] }))
        .filter((entry) => entry.place?.box),
    );
}

// `images`: {list() -> [{page, width, height}], href(page)}.
export function PageView({ images, data, chosen, choose }) {
  const loaded = useLoaded(() => images.list(), [data.id]);
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState(0);
  const frame = useRef(null);
  const placed = placedValues(data);
  const wanted = placed.find((entry) => keyOf(entry.value) === chosen);
  useEffect(() => {
    setPage(placed.find((entry) => entry.value.verdict !== "right")?.place.page || 1);
  }, [data.id]);
  useEffect(() => {
    if (wanted) setPage(wanted.place.page || 1);
  }, [chosen]);
  useEffect(() => {
    frame.current?.querySelector(".box.chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen, page, zoom]);
  if (!loaded.value) return html`<aside class="pages"><${Waiting} error=${loaded.error} /></aside>`;
  const pages = loaded.value.pages;
  if (!pages.length) return html`<aside class="pages quiet">There is no page of this document.</aside>`;
  const current = pages.find((entry) => entry.page === page) || pages[0];
  const boxes = placed.filter((entry) => (entry.place.page || 1) === current.page);
  const select = (value) => {
    const key = keyOf(value);
    choose(key);
    const line = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
    line?.scrollIntoView({ block: "center" });
    line?.focus();
  };
  return html`<aside class="pages" aria-label="Page">
    <div class="tools">
      ${pages.length > 1 &&
      html`<button type="button" disabled=${current === pages[0]} onClick=${() => setPage(current.page - 1)}>‹<span class="unseen"> previous page</span></button>
        <span>page ${amount(current.page)} of ${amount(pages.length)}</span>
        <button type="button" disabled=${current === pages[pages.length - 1]} onClick=${() => setPage(current.page + 1)}>›<span class="unseen"> next page</span></button>`}
      <button type="button" disabled=${zoom === 0} onClick=${() => setZoom(zoom - 1)}>−<span class="unseen"> zoom out</span></button>
      <span>${Math.round(100 * ZOOMS[zoom])} %</span>
      <button type="button" disabled=${zoom === ZOOMS.length - 1} onClick=${() => setZoom(zoom + 1)}>+<span class="unseen"> zoom in</span></button>
      <span class="legend"><span class="box-key gold"></span>gold <span class="box-key pred"></span>pred</span>
    </div>
    <div class="paper" ref=${frame} tabindex="0" role="region" aria-label="Page image">
      <div class="sheet" style=${{ width: `${100 * ZOOMS[zoom]}%` }}>
        <img src=${images.href(current.page)} alt="Page ${current.page} of ${nameOf(data.id, 100)}"
          width=${current.width} height=${current.height} />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none">
          ${boxes.map(
            ({ side, value, place: { box } }) => html`<rect
              class="box ${side} ${value.verdict === "right" ? "right" : "wrong"} ${keyOf(value) === chosen ? "chosen" : ""}"
              x=${box[0]}
              y=${box[1]}
              width=${Math.max(0.002, box[2] - box[0])}
              height=${Math.max(0.002, box[3] - box[1])}
              vector-effect="non-scaling-stroke"
              role="button"
              tabindex="0"
              aria-label="${side} ${nameOf(value.field, 80)}: ${nameOf(value[side] ?? "", 80)}"
              onClick=${() => select(value)}
              onKeyDown=${(event) => event.key === "Enter" && select(value)}
            ><title>${side} ${nameOf(value.field, 80)}: ${nameOf(value[side] ?? "", 120)}</title></rect>`,
          )}
        </svg>
      </div>
    </div>
  </aside>`;
}

const keyOf = (value) => value.gold_path || value.pred_path;
