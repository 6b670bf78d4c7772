// What a person decides about a wrong value: gold is wrong, both are fine, another value, or leave.

import { nameOf } from "./base.js";
import { html, useRef, useState } from "./preact.js";

const ACTIONS = {
  take_pred: "gold was wrong: pred taken",
  both_fine: "both are fine",
  set: "gold set to",
  leave: "left as it is",
};

// `review(document, path, action, value, why)` keeps a decision; `whole`: about a whole row.
export function ReviewForm({ review, document, value, whole }) {
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState(null);
  const [error, setError] = useState("");
  const why = useRef(null);
  const decide = async (action, text) => {
    setBusy(true);
    setError("");
    try {
      await review(document, value.path, action, text, why.current?.value || "");
      setTyped(null);
    } catch (failure) {
      setError(failure.message);
    } finally {
      setBusy(false);
    }
  };
  const decision = value.decision;
  const place = nameOf(value.path, 80);
  return html`<span class="review" role="group" aria-label="Decide about ${place}">
    ${decision &&
    html`<span class="chip decided">
      ${ACTIONS[decision.action] || nameOf(decision.action)}${decision.action === "set"
        ? ` ${nameOf(decision.value ?? "no value", 80)}`
        : ""}
      ${decision.who ? html`<small> ${nameOf(decision.who, 60)}</small>` : ""}
    </span>`}
    <button type="button" data-action="take_pred" disabled=${busy} onClick=${() => decide("take_pred")}
      title="Gold is wrong: ${whole ? "do as pred with this row" : "what pred says is right"}">
      Take pred
    </button>
    ${!whole && value.gold != null && value.pred != null &&
    html`<button type="button" data-action="both_fine" disabled=${busy} onClick=${() => decide("both_fine")}
      title="Gold may be either">Both fine</button>`}
    ${!whole &&
    html`<button type="button" data-action="set" disabled=${busy} aria-expanded=${typed !== null}
      onClick=${() => setTyped(typed === null ? (value.gold ?? value.pred ?? "") : null)}>
      Type a value
    </button>`}
    <button type="button" data-action="leave" disabled=${busy} onClick=${() => decide("leave")}
      title="Gold is right">Leave</button>
    <label><span class="unseen">Why, about ${place}</span>
      <input ref=${why} type="text" class="reason" placeholder="why (optional)" maxlength="500" />
    </label>
    ${typed !== null &&
    html`<span class="typed">
      <label><span class="unseen">The right value of ${place}</span>
        <input type="text" value=${typed} onInput=${(event) => setTyped(event.target.value)}
          onKeyDown=${(event) => event.key === "Enter" && decide("set", typed)} />
      </label>
      <button type="button" class="main" disabled=${busy} onClick=${() => decide("set", typed)}>Keep</button>
    </span>`}
    ${error && html`<span class="failure" role="alert">${nameOf(error, 400)}</span>`}
  </span>`;
}
