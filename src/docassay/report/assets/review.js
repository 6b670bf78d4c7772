// What a person decides about a wrong value: gold is wrong, both are fine, another value, or leave.

import { nameOf } from "./base.js";
import { html, useRef, useState } from "./preact.js";

const ACTIONS = {
  take_pred: "gold was wrong: pred taken",
  both_fine: "both are fine",
  set: "gold set to",
  leave: "left as it is",
};

// `review({gold, pred, row, action, value, why})` keeps a decision; `about` is a value, or a row as a
// `whole`, with the actions that fit.
export function ReviewForm({ review, about, whole = false }) {
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState(null);
  const [error, setError] = useState("");
  const why = useRef(null);
  const decide = async (action, text) => {
    setBusy(true);
    setError("");
    try {
      const place = whole
        ? { gold: about.gold, pred: about.pred }
        : { gold: about.gold_path ?? null, pred: about.pred_path ?? null };
      await review({ ...place, row: whole, action, value: text, why: why.current?.value || "" });
      setTyped(null);
    } catch (failure) {
      setError(failure.message);
    } finally {
      setBusy(false);
    }
  };
  const decision = about.decision;
  const fits = (action) => about.actions.includes(action);
  const name = nameOf(
    (whole ? about.gold || about.pred : about.gold_path || about.pred_path) || "",
    80,
  );
  return html`<span class="review" role="group" aria-label="Decide about ${name}">
    ${decision &&
    html`<span class="chip decided">
      ${ACTIONS[decision.action] || nameOf(decision.action)}${decision.action === "set"
        ? ` ${nameOf(decision.value ?? "no value", 80)}`
        : ""}
      ${decision.who ? html`<small> ${nameOf(decision.who, 60)}</small>` : ""}
    </span>`}
    ${fits("take_pred") &&
    html`<button type="button" data-action="take_pred" disabled=${busy} onClick=${() => decide("take_pred")}
      title="Gold is wrong: ${whole ? "do as pred with this row" : "what pred says is right"}">
      Take pred
    </button>`}
    ${fits("both_fine") &&
    html`<button type="button" data-action="both_fine" disabled=${busy} onClick=${() => decide("both_fine")}
      title="Gold may be either">Both fine</button>`}
    ${fits("set") &&
    html`<button type="button" data-action="set" disabled=${busy} aria-expanded=${typed !== null}
      onClick=${() => setTyped(typed === null ? (about.gold ?? about.pred ?? "") : null)}>
      Type a value
    </button>`}
    ${fits("leave") &&
    html`<button type="button" data-action="leave" disabled=${busy} onClick=${() => decide("leave")}
      title="Gold is right">Leave</button>`}
    <label><span class="unseen">Why, about ${name}</span>
      <input ref=${why} type="text" class="reason" placeholder="why (optional)" maxlength="500" />
    </label>
    ${typed !== null &&
    html`<span class="typed">
      <label><span class="unseen">The right value of ${name}</span>
        <input type="text" value=${typed} onInput=${(event) => setTyped(event.target.value)}
          onKeyDown=${(event) => event.key === "Enter" && decide("set", typed)} />
      </label>
      <button type="button" class="main" disabled=${busy} onClick=${() => decide("set", typed)}>Keep</button>
    </span>`}
    ${error && html`<span class="failure" role="alert">${nameOf(error, 400)}</span>`}
  </span>`;
}
