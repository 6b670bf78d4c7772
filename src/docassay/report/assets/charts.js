// Charts as SVG, drawn from numbers that were worked out before; nothing is computed but places.

import { amount, between, count, nameOf, percent, share, signed } from "./base.js";
import { html } from "./preact.js";

// A share as a bar in a table, with its interval as a line.
export function Spark({ value, low, high }) {
  if (typeof value !== "number") return null;
  const [width, height] = [96, 14];
  const across = (part) => (Math.max(0, Math.min(1, part)) * width).toFixed(1);
  const whisker =
    typeof low === "number" &&
    html`<line class="whisker" x1=${across(low)} x2=${across(high)} y1="7" y2="7" />`;
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    <rect class="track" width=${width} height=${height} rx="2" />
    <rect class="bar" width=${across(value)} height=${height} rx="2" />
    ${whisker}
  </svg>`;
}

// A score between 0 and 1 with its interval.
export function Gauge({ value, low, high, label }) {
  if (typeof value !== "number") return null;
  const across = (part) => (Math.max(0, Math.min(1, part)) * 400).toFixed(1);
  const known = typeof low === "number" && typeof high === "number";
  const said = `${label} ${share(value)}${known ? `, 95 % interval ${between(low, high)}` : ""}`;
  return html`<svg class="gauge" viewBox="-6 0 412 34" role="img" aria-label=${said}>
    <rect class="track" y="6" width="400" height="10" rx="5" />
    <rect class="bar" y="6" width=${across(value)} height="10" rx="5" />
    ${known &&
    html`<rect class="interval" x=${across(low)} y="3" width=${across(high - low)} height="16" />`}
    <line class="mark" x1=${across(value)} x2=${across(value)} y1="1" y2="21" />
    ${[0, 0.5, 1].map(
      (tick) =>
        html`<text class="tick" x=${400 * tick} y="32" text-anchor="middle">${tick || "0"}</text>`,
    )}
  </svg>`;
}

// Amounts as parts of one bar: [{name, value, kind}].
export function Stack({ parts, label }) {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  if (!total) return null;
  let x = 0;
  const said = parts.map((part) => `${amount(part.value)} ${part.name}`).join(", ");
  return html`<svg
    class="stack"
    viewBox="0 0 400 12"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}: ${said}"
  >
    ${parts.map((part) => {
      const width = (400 * part.value) / total;
      x += width;
      return html`<rect class=${part.kind} x=${x - width} width=${width} height="12" />`;
    })}
  </svg>`;
}

const [LABELS, BARS, ROW] = [210, 380, 24];

// From a perfect score down to the one there is, cause by cause.
export function Waterfall({ waterfall }) {
  const steps = [];
  let at = 1;
  for (const { cause, loss } of waterfall.losses) {
    steps.push({ cause, from: at, to: at - loss, loss });
    at -= loss;
  }
  const lowest = Math.min(at, waterfall.score ?? at);
  const floor = Math.max(0, Math.floor(lowest * 20 - 0.5) / 20);
  const across = (value) => LABELS + (BARS * (value - floor)) / (1 - floor);
  const height = ROW * (steps.length + 1) + 26;
  const width = LABELS + BARS + 74;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img">
    <title>${nameOf(waterfall.title)}: what each cause takes away</title>
    ${[floor, (floor + 1) / 2, 1].map(
      (tick) => html`<g>
        <line class="axis" x1=${across(tick)} x2=${across(tick)} y1="0" y2=${height - 22} />
        <text class="tick" x=${across(tick)} y=${height - 6} text-anchor="middle">
          ${tick.toFixed(2)}
        </text>
      </g>`,
    )}
    ${steps.map(
      (step, row) => html`<g>
        <text x=${LABELS - 8} y=${ROW * row + 16} text-anchor="end">${nameOf(step.cause, 32)}</text>
        <rect
          class="loss"
          x=${across(step.to)}
          y=${ROW * row + 4}
          width=${Math.max(1, across(step.from) - across(step.to))}
          height=${ROW - 8}
        />
        <text class="amount" x=${across(1) + 8} y=${ROW * row + 16}>${signed(-step.loss)}</text>
      </g>`,
    )}
    <g>
      <text class="strong" x=${LABELS - 8} y=${ROW * steps.length + 16} text-anchor="end">
        ${nameOf(waterfall.title, 28)}
      </text>
      <rect
        class="bar"
        x=${across(floor)}
        y=${ROW * steps.length + 4}
        width=${Math.max(1, across(waterfall.score) - across(floor))}
        height=${ROW - 8}
      />
      <text class="amount strong" x=${across(1) + 8} y=${ROW * steps.length + 16}>
        ${share(waterfall.score)}
      </text>
    </g>
  </svg>`;
}

const [LEFT, PLOT, TALL] = [44, 520, 220];

// The score after review against the share of values that nobody reviews, with one point chosen.
export function Curve({ points, chosen }) {
  const drawn = points.filter((point) => typeof point.aligned === "number");
  const lowest = Math.min(...drawn.map((point) => point.aligned));
  const floor = Math.max(0, Math.floor(lowest * 20 - 0.2) / 20);
  const across = (rate) => LEFT + PLOT * rate;
  const down = (value) => 8 + TALL * (1 - (value - floor) / (1 - floor || 1));
  const line = drawn
    .map((point) => `${across(point.auto_rate).toFixed(1)},${down(point.aligned).toFixed(1)}`)
    .join(" ");
  const here = points[chosen];
  const marked = here && typeof here.aligned === "number";
  return html`<svg class="chart" viewBox="0 0 ${LEFT + PLOT + 30} ${TALL + 44}" role="img">
    <title>
      Score after review against the share of values nobody reviews, over
      ${` ${count(points.length, "threshold")}`}
    </title>
    ${[0, 0.25, 0.5, 0.75, 1].map(
      (rate) => html`<g>
        <line class="axis" x1=${across(rate)} x2=${across(rate)} y1="8" y2=${TALL + 8} />
        <text class="tick" x=${across(rate)} y=${TALL + 24} text-anchor="middle">
          ${Math.round(100 * rate)} %
        </text>
      </g>`,
    )}
    ${[floor, (floor + 1) / 2, 1].map(
      (value) => html`<g>
        <line class="axis" x1=${LEFT} x2=${LEFT + PLOT} y1=${down(value)} y2=${down(value)} />
        <text class="tick" x=${LEFT - 6} y=${down(value) + 4} text-anchor="end">
          ${value.toFixed(2)}
        </text>
      </g>`,
    )}
    <text class="tick" x=${LEFT + PLOT} y=${TALL + 40} text-anchor="end">
      values that nobody reviews
    </text>
    <polyline class="line" points=${line} />
    ${marked &&
    html`<g>
      <line
        class="guide"
        x1=${across(here.auto_rate)}
        x2=${across(here.auto_rate)}
        y1="8"
        y2=${TALL + 8}
      />
      <circle class="dot" cx=${across(here.auto_rate)} cy=${down(here.aligned)} r="6" />
    </g>`}
  </svg>`;
}

// Differences with their intervals, a row each: [{name, value, low, high, verdict, note}].
export function Forest({ rows, title }) {
  const ends = rows.flatMap((row) => [row.value, row.low, row.high]).filter(Number.isFinite);
  const most = Math.max(...ends.map(Math.abs), 1e-9);
  const across = (value) => LABELS + (BARS * (1 + value / most)) / 2;
  const height = 22 * rows.length + 44;
  return html`<svg class="chart" viewBox="0 0 ${LABELS + BARS + 74} ${height}" role="img">
    <title>${title}</title>
    <line class="axis strong" x1=${across(0)} x2=${across(0)} y1="20" y2=${height - 20} />
    <text class="tick" x=${across(-most)} y="13">← lower</text>
    <text class="tick" x=${across(most)} y="13" text-anchor="end">higher →</text>
    ${[-most, 0, most].map(
      (tick) =>
        html`<text class="tick" x=${across(tick)} y=${height - 5} text-anchor="middle">
          ${signed(tick)}
        </text>`,
    )}
    ${rows.map(
      (row, at) => html`<g class="forest ${row.verdict || ""}">
        <text x=${LABELS - 8} y=${22 * at + 36} text-anchor="end">${nameOf(row.name, 30)}</text>
        ${typeof row.low === "number" &&
        html`<line
          x1=${across(row.low)}
          x2=${across(row.high)}
          y1=${22 * at + 32}
          y2=${22 * at + 32}
        />`}
        <circle cx=${across(row.value)} cy=${22 * at + 32} r="4" />
        <text class="amount" x=${LABELS + BARS + 10} y=${22 * at + 36}>${signed(row.value)}</text>
      </g>`,
    )}
  </svg>`;
}

// How many corrections of which cause each field needs, as bars.
export function LossByField({ fields }) {
  const totals = fields.map(({ parts }) => parts.reduce((sum, part) => sum + part.corrections, 0));
  const most = Math.max(...totals, 1);
  return html`<ul class="bars">
    ${fields.map(
      ({ field, parts }, row) => html`<li>
        <span class="name">${nameOf(field, 60)}</span>
        <span class="track">
          <span class="filled" style=${{ width: percent(totals[row] / most).replace(" ", "") }}></span>
        </span>
        <span class="number">${amount(totals[row])}</span>
        <span class="quiet">
          ${parts
            .slice(0, 3)
            .map((part) => `${amount(part.corrections)} ${nameOf(part.cause, 40)}`)
            .join(", ")}
        </span>
      </li>`,
    )}
  </ul>`;
}
