/**
 * The gateway's own payment page: what is paid to whom, by mobile money or card, and the way back
 * to the shop. It adds parameters to the shop's addresses only if that is set.
 */
import type { Document, Execution } from "../book/records"
import { decimalText } from "../money"
import type { HostedState } from "../rules/hosted"
import { html, script, type Html } from "./html"
import { lineName, page, shownAmount } from "./layout"

export type Hosted = {
  document: Document
  state: HostedState
  path: string
  /** Where the page sends a payer after the payment. */
  successUrl: string | null
  /** Where the page sends a payer who gives up. */
  cancelUrl: string | null
  merchantName: string
  /** Decimal text in the document's currency. */
  total: string
  /** The initial value of the phone field. */
  phone: string
  /** Why the last payment failed. */
  problem: string | null
  /** The payment that is under way. */
  running: Execution | null
  /**
   * What the payer is charged, fees and exchange included; null until the payment method is known.
   */
  charge: string | null
}

/** A test number of card processors. */
const TEST_CARD = "4242 4242 4242 4242"
const POLL_MS = 1_500
const RETURN_AFTER_SECONDS = 1

const summary = (hosted: Hosted): Html => {
  const { document, merchantName, total } = hosted
  return html`<section class="card">
    <p class="soft">Pay to</p>
    <p><b data-testid="merchant-name">${merchantName}</b></p>
    ${document.lines.map(
      ({ name, qty, unitMinor }) =>
        html`<div class="row" data-testid="line">
          <span>${lineName(name, qty)}</span>
          <span class="sum"
            >${shownAmount(
              decimalText({ minor: qty * unitMinor, currency: document.currency }),
              document.currency,
            )}</span
          >
        </div>`,
    )}
    <div class="row">
      <span><b>Total</b></span>
      <b data-testid="total">${shownAmount(total, document.currency)}</b>
    </div>
    ${chargeNote(hosted)}
  </section>`
}

/** The page says so before a payer is charged more than the total. */
function chargeNote({ document, state, total, charge }: Hosted): Html | null {
  if (charge !== null) {
    if (charge === shownAmount(total, document.currency)) return null
    return html`<div class="row">
      <span><b>You pay</b></span>
      <b data-testid="charge">${charge}</b>
    </div>`
  }
  if (state !== "ACTIVE" || document.feeBearer !== "PAYER") return null
  return html`<p class="soft" data-testid="fees-on-top" style="margin: 6px 0 0">
    The gateway's fees come on top. You see the sum before you approve it.
  </p>`
}

/** A source that was created as a document has no address to return to. */
const cancelLink = ({ cancelUrl, path }: Hosted): Html =>
  html`<p style="text-align: center">
    <a href="${cancelUrl ?? `${path}/left`}" data-testid="cancel"
      >${cancelUrl === null ? "Cancel" : "Cancel and return to the shop"}</a
    >
  </p>`

/** The page that fits the source's state. */
export function hostedPage(hosted: Hosted): string {
  switch (hosted.state) {
    case "ACTIVE":
      return choicePage(hosted)
    case "PROCESSING":
      return waitingPage(hosted)
    case "PAID":
      return paidPage(hosted)
    case "CANCELED":
      return closedPage(hosted, "This payment was canceled", "The shop has canceled it.")
    case "EXPIRED":
      return closedPage(hosted, "This payment has expired", "Go back to the shop to start again.")
    case "IDLE":
      return closedPage(hosted, "Not open yet", "The shop has not published this payment.")
  }
}

const choicePage = (hosted: Hosted): string =>
  page({
    title: `Pay ${hosted.merchantName}`,
    body: html`<h1>Payment</h1>
      ${
        hosted.problem === null
          ? null
          : html`<div class="alert" role="alert" data-testid="problem">${hosted.problem}</div>`
      }
      ${summary(hosted)}
      <section class="card">
        <h2 style="margin-top: 0">Mobile money</h2>
        <form method="post" action="${hosted.path}/mobile-money">
          <label for="phone">Phone number</label>
          <input
            id="phone"
            name="phone"
            inputmode="tel"
            autocomplete="tel"
            required
            value="${hosted.phone}"
            data-testid="phone"
          />
          <button data-testid="pay-mobile-money">Pay with mobile money</button>
        </form>
      </section>
      <section class="card">
        <h2 style="margin-top: 0">Card</h2>
        <a class="button plain" href="${hosted.path}/card" data-testid="choose-card"
          >Pay with a card</a
        >
      </section>
      ${cancelLink(hosted)}`,
  })

export const cardPage = (hosted: Hosted): string =>
  page({
    title: `Pay ${hosted.merchantName} by card`,
    body: html`<h1>Pay by card</h1>
      ${summary(hosted)}
      <form class="card" method="post" action="${hosted.path}/card">
        <div class="note">A test page: any number will do, none is kept.</div>
        <label for="number">Card number</label>
        <input
          id="number"
          name="number"
          inputmode="numeric"
          autocomplete="off"
          value="${TEST_CARD}"
          data-testid="card-number"
        />
        <div class="buttons">
          <button class="bad" name="answer" value="decline" data-testid="card-decline">
            Decline
          </button>
          <button name="answer" value="pay" data-testid="card-pay">Pay</button>
        </div>
      </form>
      <p style="text-align: center">
        <a href="${hosted.path}" data-testid="other-method">Choose another way to pay</a>
      </p>
      ${cancelLink(hosted)}`,
  })

const waitingPage = (hosted: Hosted): string => {
  const phone = hosted.running?.phone ?? null
  return page({
    title: "Approve on your phone",
    body: html`<h1>Approve on your phone</h1>
      <section class="card" role="status" data-testid="waiting">
        <div class="wait" aria-hidden="true"></div>
        <p>
          We sent a request${phone === null ? null : html` to <b>${phone}</b>`}. Enter your PIN
          there to approve it. This page goes on by itself.
        </p>
        ${
          phone === null
            ? null
            : html`<a
                class="button plain"
                href="/handset?phone=${encodeURIComponent(phone)}"
                target="_blank"
                rel="noopener"
                data-testid="open-handset"
                >Open the handset</a
              >`
        }
      </section>
      ${summary(hosted)}
      <noscript
        ><p><a href="${hosted.path}">Look again</a></p></noscript
      >
      <script>
        setInterval(async () => {
          try {
            const answer = await fetch(${script(`${hosted.path}/state`)})
            const { state, next } = await answer.json()
            if (answer.ok && state !== "PROCESSING") location.replace(next)
          } catch {}
        }, ${POLL_MS})
      </script>`,
  })
}

const paidPage = (hosted: Hosted): string => {
  const { successUrl, document } = hosted
  const body = html`<h1>Paid</h1>
    ${summary(hosted)}
    <section class="card" role="status" data-testid="paid">
      ${
        successUrl === null
          ? html`Thank you. You can close this page.`
          : html`<p>Thank you. Taking you back to the shop.</p>
              <a class="button" href="${successUrl}" data-testid="return-to-shop"
                >Return to the shop</a
              >`
      }
    </section>
    <p style="text-align: center">
      <a href="/receipt/${document.token}" data-testid="to-receipt">See the receipt</a>
    </p>`
  const next =
    successUrl === null ? {} : { next: { url: successUrl, afterSeconds: RETURN_AFTER_SECONDS } }
  return page({ title: "Paid", body, ...next })
}

const closedPage = (hosted: Hosted, title: string, text: string): string =>
  page({
    title,
    body: html`<h1>${title}</h1>
      ${summary(hosted)}
      <div class="card" role="status" data-testid="closed">${text}</div>
      ${
        hosted.cancelUrl === null
          ? null
          : html`<p style="text-align: center">
              <a href="${hosted.cancelUrl}" data-testid="cancel">Return to the shop</a>
            </p>`
      }`,
  })

export const leftPage = (): string =>
  page({
    title: "Not paid",
    body: html`<h1>Not paid</h1>
      <div class="card" data-testid="left">Nothing was charged. You can close this page.</div>`,
  })

export const restrictedPage = (merchantName: string): string =>
  page({
    title: "Not open yet",
    body: html`<h1>Not open yet</h1>
      <div class="card" data-testid="restricted">
        <b>${merchantName}</b> cannot take payments before it is verified. Nothing was charged.
      </div>`,
  })

export const unknownPage = (): string =>
  page({
    title: "Unknown payment",
    body: html`<h1>Unknown payment</h1>
      <div class="card" data-testid="unknown">There is no payment under this address.</div>`,
  })
