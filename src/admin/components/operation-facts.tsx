/** The amounts of a payment, its lines and its payer. A missing amount is displayed as unknown. */
import { Link } from "react-router-dom"
import type { OperationDetail } from "../lib/responses"
import { useWords, type Words } from "../lib/words"
import { flowText, operatorName } from "../lib/operation-state"
import { AdminName, Hint, Row, Rows, Section } from "./parts"

type Of = { readonly operation: OperationDetail }

/** `1 USD = 190 LRD`; null without an exchange. */
export function rateText(
  { exchange_rate: rate, exchange_from: from, exchange_to: to }: OperationDetail["figures"],
  number: Words["number"],
): string | null {
  return rate ? `1 ${from ?? ""} = ${number(rate)} ${to ?? ""}` : null
}

export function Amounts({ operation }: Of) {
  const { say, coded, money, number } = useWords()
  const { figures, currency, collected_amount: collected } = operation
  const { payer_currency: payer, payee_currency: payee, fee_bearer: bearer, fx_fee } = figures
  const own = (amount: number | null) => money(amount, currency)
  /** A side's own amount is displayed only if it differs from the amount above it. */
  const isOther = (amount: number | null, inCurrency: string | null, above: number | null) =>
    amount !== above || (inCurrency ?? currency) !== currency
  const isComingIn = operation.type === "COLLECTION"
  const isAllBack = collected !== null && operation.refunded_amount === collected
  const isTakenBack = operation.taken_back_at !== null
  const net = operation.refunded_amount > 0 ? "detail.netBefore" : "detail.net"
  const unknown = collected !== null && (
    <span className="text-ui-fg-subtle">{say("detail.unknownFigure")}</span>
  )
  const hasPaidOther = isComingIn && isOther(figures.payer_amount, payer, collected)
  const gotAsShown = isTakenBack ? figures.payee_amount : figures.net
  const hasGotOther = isOther(figures.payee_amount, payee, isAllBack ? null : gotAsShown)
  return (
    <Section title={say("detail.facts")}>
      <Rows
        rows={[
          ["detail.asked", own(operation.amount)],
          ["detail.collected", isComingIn && own(collected)],
          ["detail.fee", own(figures.fee) || (isComingIn && unknown)],
          ["detail.platformFee", own(figures.platform_fee)],
          ["detail.gatewayFee", own(figures.gateway_fee)],
          ["detail.fxFee", fx_fee !== null && number(fx_fee)],
          ["state.takenBack", isTakenBack && own(collected)],
          [net, isComingIn && !isAllBack && (own(figures.net) || unknown)],
          ["detail.bearer", bearer && coded(`detail.bearer${bearer}`, {}, bearer)],
          ["detail.payerQuoted", money(figures.quoted_payer_amount, payer)],
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

const LINK = "text-ui-fg-base underline"

/** Who pays, how to reach them, for which order and how: what an admin needs on the telephone. */
export function Payer({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const { contact, order_id, phone_hint, type } = operation
  if (type === "PAYOUT" || type === "TRANSFER") return <MoneyOut operation={operation} />
  const hint = phone_hint && `…${phone_hint}`
  const number = contact?.order_number
  const name = contact?.name
  return (
    <Section title={say("payer.title")}>
      <div className="py-2" data-testid="payer">
        <Row name={say("payer.name")}>
          {name && contact.customer_id ? (
            <Link className={LINK} to={`/customers/${contact.customer_id}`}>
              {name}
            </Link>
          ) : (
            name
          )}
        </Row>
        <Row name={say("payer.email")}>
          {contact?.email && (
            <a className={LINK} href={`mailto:${contact.email}`}>
              {contact.email}
            </a>
          )}
        </Row>
        <Row name={say("payer.order")}>
          {order_id ? (
            <Link className={LINK} to={`/orders/${order_id}`}>
              {number ? say("review.order", { number }) : say("list.openOrder")}
            </Link>
          ) : (
            say("list.noOrder")
          )}
        </Row>
        <Row name={say("payer.method")}>
          {[flowText(say, operation), operatorName(operation), hint].filter(Boolean).join(" · ")}
        </Row>
        {!contact && <Hint className="px-6 py-1.5">{say("payer.unknown")}</Hint>}
      </div>
    </Section>
  )
}

/** Of money that went out: who was paid, by whom and why. */
function MoneyOut({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const { customer, phone_hint, asked_by, note, approval } = operation
  const whom = [customer?.name, phone_hint && `…${phone_hint}`, operatorName(operation)]
  return (
    <Section title={say("payouts.recipient")}>
      <div className="py-2" data-testid="recipient">
        <Row name={say("payouts.whom")}>{whom.filter(Boolean).join(" · ")}</Row>
        <Row name={say("payouts.by")}>{asked_by && <AdminName id={asked_by} />}</Row>
        <Row name={say("payouts.note")}>{note && <bdi>{note}</bdi>}</Row>
        <Row name={say("payouts.approvedBy")}>
          {approval && <AdminName id={approval.approved_by} />}
        </Row>
        <Row name={say("payouts.answer")}>{approval?.answer && <bdi>{approval.answer}</bdi>}</Row>
      </div>
    </Section>
  )
}

/** The payer's name, else their e-mail address; null if neither is known. */
export function payerName({ contact }: Pick<OperationDetail, "contact">): string | null {
  return contact?.name ?? contact?.email ?? null
}
