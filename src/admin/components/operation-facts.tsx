/** Amounts, ids and times of a payment. A missing value is displayed as unknown. */
import type { OperationDetail } from "../lib/responses"
import { useAdminName } from "../lib/queries"
import { useWords, type Say, type Words } from "../lib/words"
import { Copyable, Part, Row, Section } from "./parts"

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
  const { figures, currency } = operation
  const text = (amount: number | null, inCurrency: string | null = currency) =>
    amount === null ? null : money(amount, inCurrency)
  /** Each side's own amount stands there only where it is not the one above in other words. */
  const isOther = (amount: number | null, inCurrency: string | null, above: number | null) =>
    amount !== above || (inCurrency ?? currency) !== currency
  const isComingIn = operation.type === "COLLECTION"
  const collected = operation.collected_amount
  const hasMoney = collected !== null
  const isAllBack = hasMoney && operation.refunded_amount === collected
  const unknown = hasMoney ? (
    <span className="text-ui-fg-subtle">{say("detail.unknownFigure")}</span>
  ) : null
  return (
    <Section title={say("detail.facts")}>
      <div className="py-2">
        <Row name={say("detail.asked")}>{money(operation.amount, currency)}</Row>
        {isComingIn && <Row name={say("detail.collected")}>{text(collected)}</Row>}
        {isComingIn && <Row name={say("detail.fee")}>{text(figures.fee) ?? unknown}</Row>}
        <Row name={say("detail.platformFee")}>{text(figures.platform_fee)}</Row>
        <Row name={say("detail.gatewayFee")}>{text(figures.gateway_fee)}</Row>
        <Row name={say("detail.fxFee")}>{figures.fx_fee && number(figures.fx_fee)}</Row>
        {isComingIn && !isAllBack && (
          <Row name={say("detail.net")}>{text(figures.net) ?? unknown}</Row>
        )}
        <Row name={say("detail.bearer")}>{bearer(say, figures.fee_bearer)}</Row>
        {isComingIn && isOther(figures.payer_amount, figures.payer_currency, collected) && (
          <Row name={say("detail.payerPaid")}>
            {text(figures.payer_amount, figures.payer_currency)}
          </Row>
        )}
        {isOther(figures.payee_amount, figures.payee_currency, isAllBack ? null : figures.net) && (
          <Row name={say("detail.payeeGot")}>
            {text(figures.payee_amount, figures.payee_currency)}
          </Row>
        )}
        {isComingIn && (
          <Row name={say("detail.payerWillPay")}>
            {text(figures.expected_payer_amount, figures.payer_currency)}
          </Row>
        )}
        <Row name={say("detail.payeeWillGet")}>
          {text(figures.expected_payee_amount, figures.payee_currency)}
        </Row>
        <Row name={say("detail.rate")}>{rateText(figures, number)}</Row>
        {operation.refunded_amount > 0 && (
          <Row name={say("detail.refunded")}>{text(operation.refunded_amount)}</Row>
        )}
        {operation.refund_pending_amount > 0 && (
          <Row name={say("detail.refundPending")}>{text(operation.refund_pending_amount)}</Row>
        )}
      </div>
    </Section>
  )
}

function bearer(say: Say, who: string | null): string | null {
  if (who === "PAYER" || who === "PAYEE") return say(`detail.bearer${who}`)
  return who
}

export function Ids({ operation }: Of) {
  const { say } = useWords()
  const rows: readonly (readonly [string, string | number | null])[] = [
    [say("detail.id"), operation.id],
    [say("detail.reference"), operation.reference],
    [say("detail.transaction"), operation.provider_transaction_id],
    [say("detail.methodCode"), operation.operator?.payment_method ?? null],
    [say("detail.intent"), operation.payment_intent_id],
    [say("detail.source"), operation.source_number ?? operation.source_id],
    [say("detail.session"), operation.gateway_session_id],
    [say("detail.medusaRefund"), operation.refund_id],
    [say("detail.orderId"), operation.order_id],
    [say("detail.cart"), operation.cart_id],
    [say("detail.collection"), operation.payment_collection_id],
    [say("detail.paymentSession"), operation.payment_session_id],
    [say("detail.account"), operation.account_id],
    [say("detail.provider"), operation.provider_id],
    [say("detail.reason"), operation.reason?.code ?? null],
    [say("detail.sourceStatus"), operation.source_status],
  ]
  return (
    <Part title={say("detail.ids")}>
      <div className="py-2">
        {rows.map(([name, value]) => (
          <Row key={name} name={name}>
            {value !== null && value !== "" ? <Copyable text={String(value)} /> : null}
          </Row>
        ))}
      </div>
    </Part>
  )
}

export function Times({ operation }: Of) {
  const { say, time } = useWords()
  const who = useAdminName(operation.asked_by)
  const text = (iso: string | null) => (iso === null ? null : time(iso))
  return (
    <Part title={say("detail.times")}>
      <div className="py-2">
        <Row name={say("detail.created")}>{time(operation.created_at)}</Row>
        <Row name={say("detail.askedBy")}>{who}</Row>
        <Row name={say("detail.submitted")}>{text(operation.submitted_at)}</Row>
        <Row name={say("detail.lastChecked")}>{text(operation.checked_at)}</Row>
        <Row name={say("detail.nextCheck")}>
          {text(operation.next_check_at) ?? say("detail.never")}
        </Row>
        <Row name={say("detail.recorded")}>{text(operation.recorded_at)}</Row>
        <Row name={say("state.returned")}>{text(operation.returned_at)}</Row>
        <Row name={say("state.dismissed")}>{text(operation.dismissed_at)}</Row>
        {operation.type === "COLLECTION" && !operation.recorded_at && (
          <Row name={say("detail.expires")}>{time(operation.expires_at)}</Row>
        )}
      </div>
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
