/** Amounts, ids and times of a payment. A missing value is displayed as unknown. */
import type { OperationDetail } from "../lib/responses"
import { useAdminName } from "../lib/queries"
import { useWords, type Say, type Words } from "../lib/words"
import { Copyable, Part, Rows, Section } from "./parts"

type Of = { readonly operation: OperationDetail }

/** `1 USD = 190 LRD`; null without an exchange. */
export function rateText(
  { exchange_rate: rate, exchange_from: from, exchange_to: to }: OperationDetail["figures"],
  number: Words["number"],
): string | null {
  return rate ? `1 ${from ?? ""} = ${number(rate)} ${to ?? ""}` : null
}

export function Amounts({ operation }: Of) {
  const { say, money, number } = useWords()
  const { figures, currency, collected_amount: collected } = operation
  const { payer_currency: payer, payee_currency: payee, fx_fee } = figures
  const own = (amount: number | null) => money(amount, currency)
  /** Each side's own amount stands there only where it is not the one above in other words. */
  const isOther = (amount: number | null, inCurrency: string | null, above: number | null) =>
    amount !== above || (inCurrency ?? currency) !== currency
  const isComingIn = operation.type === "COLLECTION"
  const isAllBack = collected !== null && operation.refunded_amount === collected
  const unknown = collected !== null && (
    <span className="text-ui-fg-subtle">{say("detail.unknownFigure")}</span>
  )
  const hasPaidOther = isComingIn && isOther(figures.payer_amount, payer, collected)
  const hasGotOther = isOther(figures.payee_amount, payee, isAllBack ? null : figures.net)
  return (
    <Section title={say("detail.facts")}>
      <Rows
        rows={[
          ["detail.asked", own(operation.amount)],
          ["detail.collected", isComingIn && own(collected)],
          ["detail.fee", isComingIn && (own(figures.fee) || unknown)],
          ["detail.platformFee", own(figures.platform_fee)],
          ["detail.gatewayFee", own(figures.gateway_fee)],
          ["detail.fxFee", fx_fee !== null && number(fx_fee)],
          ["detail.net", isComingIn && !isAllBack && (own(figures.net) || unknown)],
          ["detail.bearer", bearer(say, figures.fee_bearer)],
          ["detail.payerPaid", hasPaidOther && money(figures.payer_amount, payer)],
          ["detail.payeeGot", hasGotOther && money(figures.payee_amount, payee)],
          ["detail.payerWillPay", isComingIn && money(figures.expected_payer_amount, payer)],
          ["detail.payeeWillGet", money(figures.expected_payee_amount, payee)],
          ["detail.rate", rateText(figures, number)],
          ["detail.refunded", operation.refunded_amount > 0 && own(operation.refunded_amount)],
          [
            "detail.refundPending",
            operation.refund_pending_amount > 0 && own(operation.refund_pending_amount),
          ],
        ]}
      />
    </Section>
  )
}

function bearer(say: Say, who: string | null): string | null {
  if (who === "PAYER" || who === "PAYEE") return say(`detail.bearer${who}`)
  return who
}

export function Ids({ operation }: Of) {
  const { say } = useWords()
  const ids = [
    ["detail.id", operation.id],
    ["detail.reference", operation.reference],
    ["detail.transaction", operation.provider_transaction_id],
    ["detail.methodCode", operation.operator?.payment_method],
    ["detail.intent", operation.payment_intent_id],
    ["detail.source", operation.source_number ?? operation.source_id],
    ["detail.session", operation.gateway_session_id],
    ["detail.medusaRefund", operation.refund_id],
    ["detail.orderId", operation.order_id],
    ["detail.cart", operation.cart_id],
    ["detail.collection", operation.payment_collection_id],
    ["detail.paymentSession", operation.payment_session_id],
    ["detail.account", operation.account_id],
    ["detail.provider", operation.provider_id],
    ["detail.reason", operation.reason?.code],
    ["detail.sourceStatus", operation.source_status],
  ] as const
  return (
    <Part title={say("detail.ids")}>
      <Rows rows={ids.map(([word, id]) => [word, id && <Copyable text={String(id)} />])} />
    </Part>
  )
}

export function Times({ operation }: Of) {
  const { say, time } = useWords()
  const isOpen = operation.type === "COLLECTION" && !operation.recorded_at
  return (
    <Part title={say("detail.times")}>
      <Rows
        rows={[
          ["detail.created", time(operation.created_at)],
          ["detail.askedBy", useAdminName(operation.asked_by)],
          ["detail.submitted", time(operation.submitted_at)],
          ["detail.lastChecked", time(operation.checked_at)],
          ["detail.nextCheck", time(operation.next_check_at) || say("detail.never")],
          ["detail.recorded", time(operation.recorded_at)],
          ["state.returned", time(operation.returned_at)],
          ["state.dismissed", time(operation.dismissed_at)],
          ["detail.expires", isOpen && time(operation.expires_at)],
        ]}
      />
    </Part>
  )
}

export function Lines({ operation }: Of) {
  const { say, money, number } = useWords()
  if (operation.type !== "COLLECTION" || operation.lines.length === 0) return null
  return (
    <Section title={say("detail.lines")}>
      <ul className="flex flex-col gap-y-1.5 px-6 py-4">
        {operation.lines.map((line, index) => (
          <li key={index} className="txt-compact-small flex justify-between gap-x-4">
            <span className="text-ui-fg-subtle min-w-0 break-words">
              {number(line.quantity)} × {line.name}
            </span>
            <span className="tabular-nums">{money(line.amount, operation.currency)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
