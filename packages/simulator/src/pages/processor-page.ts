/**
 * The card processor's own page, which a shop shows over its checkout: the bank asks the shopper.
 * What it tells the shop proves nothing. Closed without an answer, the payment waits for its end.
 */
import { html, script, type Html } from "./html"
import { page } from "./layout"

export type Challenge = {
  secret: string
  merchantName: string
  /** As people read it. */
  charge: string
}

/** The adapter of the shop listens for it; the page knows no shop, and tells it no secret. */
const telling = (result: "passed" | "refused" | "over"): Html =>
  html`<script>
    parent.postMessage({ source: "merchant-payments-simulator", card: ${script(result)} }, "*")
  </script>`

export const challengePage = ({ secret, merchantName, charge }: Challenge): string =>
  page({
    title: "Confirm your card payment",
    body: html`<h1>Your bank asks</h1>
      <section class="card">
        <p>Do you pay this amount to <b>${merchantName}</b>?</p>
        <div class="amount" data-testid="card-amount">${charge}</div>
        <form method="post" action="/processor/authenticate" class="buttons">
          <input type="hidden" name="client_secret" value="${secret}" />
          <button name="answer" value="pass" data-testid="card-pass">Approve</button>
          <button name="answer" value="refuse" class="bad" data-testid="card-refuse">Refuse</button>
        </form>
      </section>`,
  })

export const challengeEndPage = (result: "passed" | "refused" | "over"): string =>
  page({
    title: "Card payment",
    body: html`<section class="card" data-testid="card-result">
        ${
          {
            passed: "Approved. Go back to the shop.",
            refused: "Refused. Nothing was charged.",
            over: "Nothing waits for an answer here.",
          }[result]
        }
      </section>
      ${telling(result)}`,
  })
