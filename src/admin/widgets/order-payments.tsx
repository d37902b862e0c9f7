/**
 * On an order: its payments through this plugin, their refunds, and a link for its open amount. For
 * other orders one line says that there are none.
 */
import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { ArrowPath } from "@medusajs/icons"
import { Alert, Button, Container, Heading, IconButton, Text, Tooltip } from "@medusajs/ui"
import { Link } from "react-router-dom"
import type { OrderPaymentsResponse } from "../lib/responses"
import { useCheck } from "../components/operation-head"
import { rateText } from "../components/operation-facts"
import { attentionText, kindOf } from "../components/operations-table"
import { hasLinkToShow, PaymentLinkSection } from "../components/payment-link"
import { Copyable, Problem, Row, State } from "../components/parts"
import { RefundBadge } from "../components/refunds"
import { isLiveLink, usePaymentLink } from "../lib/links"
import { useOrderPayments } from "../lib/queries"
import { useWords } from "../lib/words"

type Payment = OrderPaymentsResponse["operations"][number]

const OrderPayments = ({ data: order }: { readonly data: { readonly id: string } }) => {
  const { data, error, refetch } = useOrderPayments(order.id)
  const { data: link } = usePaymentLink(order.id)
  const { say } = useWords()
  const isOurs = Boolean(data?.operations.length)
  // A link that is not closed is displayed above with all its facts.
  const aliveId = isLiveLink(link?.payment_link) ? link?.payment_link?.operation_id : undefined
  const payments = (data?.operations ?? []).filter(({ id }) => id !== aliveId)
  const isLinkShown = hasLinkToShow(link, isOurs)
  if (!data && !error) return null
  return (
    <Container className="divide-y p-0" data-testid="order-payments">
      <div className="px-6 py-4">
        <Heading level="h2">{say("order.title")}</Heading>
      </div>
      {error && (
        <div className="px-6 py-4">
          <Problem error={error} again={() => void refetch()} />
        </div>
      )}
      {link && isLinkShown && <PaymentLinkSection orderId={order.id} answer={link} />}
      {data && !isOurs && !isLinkShown && (
        <Text size="small" className="text-ui-fg-subtle px-6 py-4">
          {say("order.none")}
        </Text>
      )}
      {payments.map((payment) => (
        <OnePayment key={payment.id} payment={payment} />
      ))}
    </Container>
  )
}

function OnePayment({ payment }: { readonly payment: Payment }) {
  const words = useWords()
  const { say, money, number } = words
  const check = useCheck(payment)
  const { figures, currency } = payment
  const text = (amount: number | null) => (amount === null ? null : money(amount, currency))
  const why = attentionText(words, payment)
  return (
    <div className="flex flex-col py-3">
      <div className="flex items-start justify-between gap-2 px-6 pb-2">
        <div className="flex min-w-0 flex-col gap-y-1">
          <div className="flex flex-wrap items-center gap-2">
            <Text size="small" weight="plus" className="tabular-nums">
              {money(payment.amount, currency)}
            </Text>
            <State operation={payment} />
          </div>
          <Text size="small" className="text-ui-fg-subtle">
            {kindOf(say, payment)}
          </Text>
        </div>
        <Tooltip content={say("detail.checkNow")}>
          <IconButton
            size="small"
            variant="transparent"
            aria-label={say("detail.checkNow")}
            isLoading={check.isPending}
            onClick={() => check.mutate()}
          >
            <ArrowPath />
          </IconButton>
        </Tooltip>
      </div>
      {why && (
        <div className="px-6 pb-2">
          <Alert variant={payment.attention ? "warning" : "info"}>{why}</Alert>
        </div>
      )}
      <Row name={say("order.operator")}>
        {[payment.operator?.payment_method, payment.operator?.carrier].filter(Boolean).join(" · ")}
      </Row>
      <Row name={say("order.phone")}>{payment.phone_hint && `…${payment.phone_hint}`}</Row>
      <Row name={say("order.gross")}>{text(figures.gross)}</Row>
      <Row name={say("order.fee")}>{text(figures.fee)}</Row>
      <Row name={say("order.net")}>{text(figures.net)}</Row>
      <Row name={say("order.rate")}>{rateText(figures, number)}</Row>
      <Row name={say("order.transaction")}>
        {payment.provider_transaction_id && <Copyable text={payment.provider_transaction_id} />}
      </Row>
      <GoingBack payment={payment} />
      <div className="flex flex-wrap gap-2 px-6 pb-1 pt-2">
        <Button size="small" variant="secondary" asChild>
          <Link to={`/merchant-payments/${payment.id}`}>{say("order.details")}</Link>
        </Button>
        {payment.receipt_path && (
          <Button size="small" variant="secondary" asChild>
            <Link to={`/merchant-payments/${payment.id}/receipt`}>{say("order.receipt")}</Link>
          </Button>
        )}
      </div>
    </div>
  )
}

const BACK_WORDS = {
  on_its_way: "order.refundOnItsWay",
  returned: "order.refunded",
  failed: "order.refundFailed",
  under_review: "order.refundOnItsWay",
} as const

function GoingBack({ payment }: { readonly payment: Payment }) {
  const { say, money } = useWords()
  if (payment.refunds.length === 0) return null
  return (
    <ul className="flex flex-col gap-y-1 px-6 py-2">
      {payment.refunds.map((refund) => (
        <li key={refund.id} className="flex flex-wrap items-center justify-between gap-2">
          <Link
            to={`/merchant-payments/${refund.id}`}
            className="txt-compact-small text-ui-fg-subtle hover:text-ui-fg-base"
          >
            {say(BACK_WORDS[refund.progress], { amount: money(refund.amount, refund.currency) })}
          </Link>
          <RefundBadge progress={refund.progress} />
        </li>
      ))}
    </ul>
  )
}

export const config = defineWidgetConfig({
  zone: "order.details.side.after",
  id: "merchant-payments-order",
})

export default OrderPayments
