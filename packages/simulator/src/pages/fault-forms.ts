/** The forms that script faults, folded above the book. A wrong form keeps what was typed. */
import { FAULT_KINDS } from "../faults"
import { RETRY_FORMS } from "../faults/entry"
import { html, type Html } from "./html"

export type FaultForms = {
  operations: readonly string[]
  /** What was typed or chosen. */
  typed: { operation: string; kind: string; argument: string; moment: string; times: string }
  rate: string
  seed: string
  /** Open while a person uses them. */
  isOpen: boolean
  /** Why nothing was scripted. */
  problem: string | null
}

/** The choice of neither `before` nor `after`. */
export const USUAL = "usual"
export const MOST_TIMES = 100

const option = (value: string, chosen: string, text: string = value): Html =>
  html`<option value="${value}" ${value === chosen ? html`selected` : null}>${text}</option>`

export const faultForms = (forms: FaultForms): Html =>
  html`${
      forms.problem === null
        ? null
        : html`<div class="alert" role="alert" data-testid="fault-problem">${forms.problem}</div>`
    }
    <details ${forms.isOpen ? html`open` : null} data-testid="fault-forms">
      <summary class="button plain" style="margin-bottom: 14px">Make something go wrong</summary>
      ${scriptForm(forms)} ${randomForm(forms)}
      <form class="card" method="post" action="/book/clear-faults">
        <button class="plain" data-testid="faults-clear">End all faults</button>
      </form>
    </details>`

const scriptForm = ({ operations, typed }: FaultForms): Html =>
  html`<form class="card" method="post" action="/book/faults" data-testid="fault-form">
    <h2 style="margin-top: 0">Script a fault</h2>
    <label for="operation">Operation</label>
    <select id="operation" name="operation" data-testid="fault-operation">
      ${operations.map((operation) => option(operation, typed.operation))}
    </select>
    <label for="kind">Kind</label>
    <select id="kind" name="kind" data-testid="fault-kind">
      ${FAULT_KINDS.map((kind) => option(kind, typed.kind))}
    </select>
    <label for="argument">Detail</label>
    <input
      id="argument"
      name="argument"
      list="arguments"
      autocomplete="off"
      value="${typed.argument}"
      aria-describedby="argument-help"
      data-testid="fault-argument"
    />
    <datalist id="arguments">${RETRY_FORMS.map((form) => option(form, ""))}</datalist>
    <p class="soft" id="argument-help">
      May stay empty. 429 and 503: ${RETRY_FORMS.join(", ")}, or seconds. slow, drip and refuse:
      milliseconds. huge: bytes. redirect: 301 to 308. 422: text.
    </p>
    <label for="moment">Strikes</label>
    <select id="moment" name="moment" data-testid="fault-moment">
      ${option(USUAL, typed.moment, "as usual for its kind")}
      ${option("before", typed.moment, "before the call is carried out")}
      ${option("after", typed.moment, "after it, so that only the answer is spoilt")}
    </select>
    <label for="times">Times</label>
    <input
      id="times"
      name="times"
      type="number"
      min="1"
      max="${MOST_TIMES}"
      required
      value="${typed.times}"
      data-testid="fault-times"
    />
    <button data-testid="fault-add">Script it</button>
    <p class="soft" style="margin: 8px 0 0">It takes the place of the operation's script.</p>
  </form>`

const randomForm = ({ rate, seed }: FaultForms): Html =>
  html`<form class="card" method="post" action="/book/random-faults" data-testid="random-form">
    <h2 style="margin-top: 0">Faults by chance</h2>
    <label for="rate">Share of all calls, 0 to 1</label>
    <input
      id="rate"
      name="rate"
      inputmode="decimal"
      autocomplete="off"
      required
      value="${rate}"
      data-testid="random-rate"
    />
    <label for="seed">Seed</label>
    <input id="seed" name="seed" autocomplete="off" value="${seed}" data-testid="random-seed" />
    <button class="plain" data-testid="random-start">Start</button>
    <p class="soft" style="margin: 8px 0 0">
      The same seed gives the same faults for the same calls. 0 ends them.
    </p>
  </form>`
