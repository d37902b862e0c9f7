/** The portal's list of transactions of all types, with ids to copy. */
import type { MoneyOutView } from "../book/money-out-view"
import type { ExecutionView } from "../book/view"
import { html, Html } from "./html"
import { shownAmount } from "./layout"

export type Transaction = {
  type: "COLLECTION" | MoneyOutView["operationType"]
  paymentIntentId: number
  /** The caller's UUID; null for a payment on the hosted page, which has none for the merchant. */
  reference: string | null
  /** The source's number, for collections. */
  sourceNumber: string | null
  /** The merchant's own reference of the source. */
  sourceReferenceId: string | null
  /** The payment intent that a refund refunds. */
  originalPaymentIntentId: number | null
  method: string
  phone: string | null
  status: ExecutionView["status"]
  createdAtMs: number
  payerAmount: string
  payerCurrency: string
  payeeAmount: string
  payeeCurrency: string
}

const NAMES: Record<Transaction["type"], string> = {
  COLLECTION: "Collection",
  PAYOUT: "Payout",
  TRANSFER: "Transfer",
  REFUND: "Refund",
}

/**
 * Copies the text of a button's `data-copy` to the clipboard, or selects it if copying is not
 * allowed.
 */
export const COPYING = new Html(`<script>
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]")
    if (!button) return
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = "Copied"
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling)
    }
  })
</script>`)

export const transactionList = ({
  transactions,
  hidden,
}: {
  transactions: readonly Transaction[]
  hidden: number
}): Html =>
  transactions.length === 0
    ? html`<div class="card" data-testid="no-transactions">No transaction fits.</div>`
    : html`${transactions.map(transactionCard)}
      ${hidden > 0 ? html`<p class="soft">${hidden} older ones are not shown.</p>` : null}`

const transactionCard = (transaction: Transaction): Html => {
  const { type, status, paymentIntentId, method, phone } = transaction
  return html`<article class="card" data-testid="transaction" data-intent="${paymentIntentId}">
    <div class="row">
      <b>${NAMES[type]}</b>
      <span class="tag ${status}" data-testid="transaction-status">${status.toLowerCase()}</span>
    </div>
    <div class="row">
      <span style="flex: none">Payment intent</span>
      ${copied("payment intent id", "payment-intent-id", String(paymentIntentId))}
    </div>
    ${
      transaction.originalPaymentIntentId === null
        ? null
        : line("Of payment intent", String(transaction.originalPaymentIntentId), "original-intent")
    }
    ${line(
      "Payer",
      shownAmount(transaction.payerAmount, transaction.payerCurrency),
      "payer-amount",
    )}
    ${line(
      "Payee",
      shownAmount(transaction.payeeAmount, transaction.payeeCurrency),
      "payee-amount",
    )}
    ${line("Method", method, "method")} ${phone === null ? null : line("Phone", phone, "phone")}
    ${
      transaction.sourceNumber === null
        ? null
        : line("Source", transaction.sourceNumber, "source-number")
    }
    ${
      transaction.sourceReferenceId === null
        ? null
        : line("Your reference", transaction.sourceReferenceId, "source-reference")
    }
    ${
      transaction.reference === null
        ? null
        : html`<div class="row">
            <span style="flex: none">Reference</span>
            ${copied("reference", "reference", transaction.reference)}
          </div>`
    }
    <p class="soft" style="margin: 6px 0 0">
      <time datetime="${new Date(transaction.createdAtMs).toISOString()}"
        >${new Date(transaction.createdAtMs).toISOString().slice(0, 19).replace("T", " ")} UTC</time
      >
    </p>
  </article>`
}

const line = (label: string, text: string, testId: string): Html =>
  html`<div class="row">
    <span style="flex: none">${label}</span
    ><span class="value" data-testid="${testId}">${text}</span>
  </div>`

/** A text and the button that copies it. */
export const copied = (what: string, testId: string, text: string): Html =>
  html`<span class="value">
    <code data-testid="${testId}">${text}</code>
    <button
      type="button"
      class="small plain"
      data-copy="${text}"
      data-testid="copy-${testId}"
      aria-label="Copy the ${what} ${text}"
    >
      Copy
    </button>
  </span>`
