/**
 * The receipt of a paid source for the payer: to whom, for what, how much, how. The merchant's fees
 * are in the API's receipt only.
 */
import type { Document } from "../book/records"
import { iso } from "../clock"
import { decimalText, type Currency } from "../money"
import { operatorByMethod } from "../rules/operators"
import { exchangeOf, type Payment } from "../rules/receipts"
import { html, type Html } from "./html"
import { lineName, page, shownAmount } from "./layout"

export type Receipt = {
  document: Document
  payment: Payment
  merchantName: string
  payerName: string
  /** Decimal text in the document's currency. */
  total: string
}

const shown = (minor: number, currency: Currency): string =>
  shownAmount(decimalText({ minor, currency }), currency)

const fact = (name: string, value: string | Html, testId: string): Html =>
  html`<div class="row">
    <span style="flex: none">${name}</span
    ><span class="fact" data-testid="${testId}">${value}</span>
  </div>`

export function receiptPage(receipt: Receipt): string {
  const { document, payment, merchantName, payerName, total } = receipt
  const { execution, paidAtMs } = payment
  return page({
    title: `Receipt ${document.number}`,
    body: html`<h1>Receipt</h1>
      <section class="card" data-testid="receipt">
        <p class="soft">Paid to</p>
        <p><b data-testid="merchant-name">${merchantName}</b></p>
        <div class="amount" data-testid="paid-amount">
          ${shown(execution.payerMinor, execution.payerCurrency)}
        </div>
        ${fact("Number", document.number, "receipt-number")}
        ${fact("Paid at", paidAt(paidAtMs), "paid-at")} ${fact("Paid by", payerName, "payer-name")}
        ${fact("Method", methodName(execution.method), "method")}
        ${fact("Transaction", execution.providerTransactionId, "transaction")}
        ${document.note === "" ? null : fact("Note", document.note, "note")}
      </section>
      <h2>What was paid for</h2>
      <section class="card">
        ${document.lines.map(
          ({ name, qty, unitMinor }) =>
            html`<div class="row" data-testid="line">
              <span>${lineName(name, qty)}</span>
              <span class="sum">${shown(qty * unitMinor, document.currency)}</span>
            </div>`,
        )}
        <div class="row">
          <span><b>Total</b></span>
          <b data-testid="total">${shownAmount(total, document.currency)}</b>
        </div>
        ${extras(receipt)}
      </section>`,
  })
}

/** Why the payer paid another amount than the total: fees on top, or another currency. */
function extras({ document, payment: { execution } }: Receipt): Html[] {
  const { platformFeeMinor, gatewayFeeMinor, feeCurrency, fxFeeMinor, payerCurrency } = execution
  const fees = platformFeeMinor + gatewayFeeMinor
  const exchange = exchangeOf(execution)
  return [
    ...(document.feeBearer === "PAYER" && fees > 0
      ? [fact("Fees on top", shown(fees, feeCurrency), "fees")]
      : []),
    ...(exchange?.rate
      ? [fact("Rate", `1 ${exchange.from} = ${exchange.rate} ${exchange.to}`, "rate")]
      : []),
    ...(exchange ? [fact("Exchange fee", shown(fxFeeMinor, payerCurrency), "exchange-fee")] : []),
  ]
}

function methodName(method: string): string {
  const operator = operatorByMethod(method)
  return operator ? `Mobile money, ${operator.carrier} (${operator.country})` : "Card"
}

/** `2026-01-01 00:00 UTC` */
const paidAt = (ms: number): Html =>
  html`<time datetime="${iso(ms)}">${iso(ms).slice(0, 16).replace("T", " ")} UTC</time>`
