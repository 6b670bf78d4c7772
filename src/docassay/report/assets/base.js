// What every part of the pages uses: numbers and texts as people read them, addresses, loading.

import { html, useEffect, useState } from "./preact.js";

export const UNDEFINED = "–";
export const SIGNS = { right: "✓", substituted: "≠", added: "+", deleted: "−", value: "·" };
export const MEANINGS = {
  value: "predicted",
  right: "correct",
  substituted: "to substitute",
  added: "to add",
  deleted: "to delete",
};
export const WRONG = ["substituted", "added", "deleted"];
export const LONGEST_SHOWN = 2000;

const grouped = new Intl.NumberFormat("en-US");
const oneDecimal = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const twoDecimals = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

// A share with three decimals; only 1 itself is shown as 1.000.
export function share(value) {
  if (value === null || value === undefined) return UNDEFINED;
  return (value > 0.999 && value < 1 ? 0.999 : value).toFixed(3);
}

export function amount(value, unit) {
  if (value === null || value === undefined) return UNDEFINED;
  if (unit === "share" || unit === "rate") return share(value);
  if (unit === "hours") return oneDecimal.format(value);
  if (unit === "money") return twoDecimals.format(value);
  return Number.isInteger(value) ? grouped.format(value) : share(value);
}

export function count(value, noun, many) {
  return `${grouped.format(value)} ${value === 1 ? noun : many || `${noun}s`}`;
}

export function percent(value) {
  if (value === null || value === undefined) return UNDEFINED;
  return `${(100 * value).toFixed(value > 0 && value < 0.001 ? 2 : 1)} %`;
}

export function signed(value, unit = "share") {
  if (value === null || value === undefined) return UNDEFINED;
  const text = amount(Math.abs(value), unit);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

export function between(low, high, unit = "share") {
  const known = typeof low === "number" && typeof high === "number";
  return known ? `[${amount(low, unit)}, ${amount(high, unit)}]` : "";
}

export function chance(p) {
  if (p === null || p === undefined) return "";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

// Line breaks, tabs and spaces stay. What else does not print, such as a change of the direction of
// writing, is written as its escape, so that it can be seen and does nothing.
const UNPRINTABLE = /(?![\n\t ])[\p{C}\p{Z}]/gu;

export function visible(text) {
  return String(text).replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0);
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
    if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
    return `\\U${code.toString(16).padStart(8, "0")}`;
  });
}

// A name on one line, made harmless and cut where it is endless.
export function nameOf(text, most = 200) {
  const shown = visible(text).replace(/[\n\t]/g, (mark) => (mark === "\n" ? "\\n" : "\\t"));
  return shown.length > most ? `${shown.slice(0, most)}…` : shown;
}

const MOST_COMPARED = 400;
const LEAST_ALIKE = 0.35;

// The pieces in which two texts differ, as [start, end] of each side: the longest common
// subsequence, character by character. Texts that have little in common get none.
export function differingPieces(gold, pred) {
  const [before, after] = [[...gold], [...pred]];
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const middles = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const common = middles.every((middle) => middle.length <= MOST_COMPARED)
    ? commonPlaces(...middles)
    : [new Set(), new Set()];
  const alike = start + end + common[0].size;
  if (alike < LEAST_ALIKE * Math.max(before.length, after.length)) return [[], []];
  return [before, after].map((characters, side) =>
    pieces(characters, start, characters.length - end, common[side]),
  );
}

function commonPlaces(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Uint16Array(after.length + 1),
  );
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i][j] =
        before[i] === after[j]
          ? lengths[i + 1][j + 1] + 1
          : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const kept = [new Set(), new Set()];
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) {
      kept[0].add(i++);
      kept[1].add(j++);
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return kept;
}

function pieces(characters, start, end, common) {
  const made = [];
  let offset = characters.slice(0, start).join("").length;
  for (let at = start; at < end; at += 1) {
    const next = offset + characters[at].length;
    if (!common.has(at - start)) {
      const last = made[made.length - 1];
      if (last && last[1] === offset) last[1] = next;
      else made.push([offset, next]);
    }
    offset = next;
  }
  return made;
}

// Filters that a list of documents has: the same names in addresses, in the report and the server.
export const FILTERS = [
  ...["q", "field", "cause", "type", "verdict", "least", "most", "wrong", "decided"],
  ...["sort", "desc"],
];

export function queryText(query) {
  const kept = Object.entries(query || {}).filter(([, value]) => value !== "" && value != null);
  const text = new URLSearchParams(kept).toString();
  return text && `?${text}`;
}

export function filtersOf(query) {
  return Object.fromEntries(FILTERS.filter((name) => query[name]).map((name) => [name, query[name]]));
}

// What a function gives, once it is there: {value, error, settled}; asked again when `keys` change.
// The value before stays until then, so that nothing flickers.
export function useLoaded(load, keys) {
  const [state, setState] = useState({ value: null, error: null, settled: false });
  useEffect(() => {
    let current = true;
    Promise.resolve()
      .then(load)
      .then(
        (value) => current && setState({ value, error: null, settled: true }),
        (error) => current && setState({ value: null, error, settled: true }),
      );
    return () => {
      current = false;
    };
  }, keys);
  return state;
}

export function Waiting({ error }) {
  if (!error) return html`<p class="quiet" role="status">Loading …</p>`;
  return html`<p class="failure" role="alert">${nameOf(error.message || error, 1000)}</p>`;
}
