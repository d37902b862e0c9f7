/**
 * On an order: its payments through this plugin, their refunds, and a link for its open amount. For
 * other orders one line says that there are none.
 */
import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { ArrowPath } from "@medusajs/icons"
import { Alert, Container, Heading, IconButton, Tooltip } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { Link } from "react-router-dom"
import { fitted } from "../components/fitted"
import type { OrderPaymentsResponse } from "../lib/responses"
import { useCheck } from "../components/operation-head"
import { rateText } from "../components/operation-facts"
import {
  hasLinkToShow,
  isLiveLink,
  PaymentLinkSection,
  usePaymentLink,
} from "../components/payment-link"
import { Button, Copyable, Hint, Problem, Row, State, Strong } from "../components/parts"
import { RefundBadge } from "../components/refunds"
import { useOrderPayments } from "../lib/queries"
import { attentionText } from "../lib/decision"
import { kindOf, operatorName } from "../lib/operation-state"
import { useWords } from "../lib/words"

type Payment = OrderPaymentsResponse["operations"][number]

/** What Medusa's page of an order hands to its widgets, as far as it is used. */
type Order = {
  readonly id: string
  readonly display_id?: number | null
  readonly email?: string | null
  readonly shipping_address?: { readonly phone?: string | null } | null
  readonly payment_collections?: readonly { readonly status: string }[]
}

const OrderPayments = ({ data: order }: { readonly data: Order }) => {
  const { data, error, refetch } = useOrderPayments(order.id)
  const { data: link } = usePaymentLink(order.id)
  const { say, money } = useWords()
  useOrderReread(data?.operations)
  const isOurs = Boolean(data?.operations.length)
  // A link that is not closed is displayed above with all its facts.
  const aliveId = isLiveLink(link?.payment_link) ? link?.payment_link?.operation_id : undefined
  const payments = (data?.operations ?? []).filter(({ id }) => id !== aliveId)
  const isLinkShown = hasLinkToShow(link, isOurs)
  // For an unpaid collection, Medusa's summary shows a payment link of its own.
  const isOtherShown = order.payment_collections?.some(({ status }) => status === "not_paid")
  if (!data && !error) return null
  return (
    <Container className="divide-y p-0" data-testid="order-payments">
      <div className="px-6 py-4">
        <Heading level="h2">{say("order.title")}</Heading>
      </div>
      <Problem isInset error={error} again={() => void refetch()} />
      {link?.open_amount && isLinkShown && (
        <div className="py-2">
          <Row name={say("order.open")}>{money(link.open_amount, link.currency)}</Row>
        </div>
      )}
      {link && isLinkShown && (
        <PaymentLinkSection
          order={linkedOrder(order)}
          answer={link}
          isOtherShown={isOtherShown === true}
        />
      )}
      {data && !isOurs && !isLinkShown && <Hint className="px-6 py-4">{say("order.none")}</Hint>}
      {payments.map((payment) => (
        <OnePayment key={payment.id} payment={payment} />
      ))}
    </Container>
  )
}

const linkedOrder = ({ id, display_id, email, shipping_address }: Order) => ({
  id,
  number: display_id ? String(display_id) : null,
  phone: shipping_address?.phone || null,
  email: email ?? null,
})

/** Reloads the order around the widget as soon as one of its payments is recorded. */
function useOrderReread(payments: readonly Payment[] | undefined): void {
  const client = useQueryClient()
  const recorded = payments?.filter(({ recorded_at: at }) => at !== null).length
  const before = useRef(recorded)
  useEffect(() => {
    const isNews = before.current !== undefined && before.current !== recorded
    before.current = recorded
    if (isNews) void client.invalidateQueries({ queryKey: ["orders"] })
  }, [client, recorded])
}

function OnePayment({ payment }: { readonly payment: Payment }) {
  const words = useWords()
  const { say, money, number } = words
  const check = useCheck(payment)
  const { figures, currency } = payment
  const why = attentionText(words, payment)
  const isAllBack = payment.refunded_amount > 0 && payment.refunded_amount === figures.gross
  const net = payment.refunded_amount > 0 ? "detail.netBefore" : "order.net"
  return (
    <div className="flex flex-col py-3">
      <div className="flex items-start justify-between gap-2 px-6 pb-2">
        <div className="flex min-w-0 flex-col gap-y-1">
          <div className="flex flex-wrap items-center gap-2">
            <Strong className="tabular-nums">{money(payment.amount, currency)}</Strong>
            <State operation={payment} />
          </div>
          <Hint>{kindOf(say, payment)}</Hint>
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
      {payment.prompt && (
        <Hint className="px-6 pb-2">
          {say(`prompt.${payment.prompt}`, { digits: payment.phone_hint ?? "" })}
        </Hint>
      )}
      <Row name={say("order.operator")}>{operatorName(payment)}</Row>
      <Row name={say("order.phone")}>{payment.phone_hint && `…${payment.phone_hint}`}</Row>
      <Row name={say("order.gross")}>{money(figures.gross, currency)}</Row>
      <Row name={say("order.fee")}>{money(figures.fee, currency)}</Row>
      <Row name={say("state.takenBack")}>
        {payment.taken_back_at !== null && money(figures.gross, currency)}
      </Row>
      {!isAllBack && <Row name={say(net)}>{money(figures.net, currency)}</Row>}
      <Row name={say("order.rate")}>{figures.gross !== null && rateText(figures, number)}</Row>
      <Row name={say("order.transaction")}>
        {payment.provider_transaction_id && <Copyable text={payment.provider_transaction_id} />}
      </Row>
      <GoingBack payment={payment} />
      <div className="flex flex-wrap gap-2 px-6 pb-1 pt-2">
        <Button asChild>
          <Link to={`/merchant-payments/${payment.id}`}>{say("order.details")}</Link>
        </Button>
        {payment.receipt_path && (
          <Button asChild>
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
  const { say, money, ago, duration } = useWords()
  const { refunds, refund_times: times } = payment
  if (refunds.length === 0) return null
  const expected = (createdAt: string) =>
    times
      ? say("order.refundTimes", {
          ago: ago(createdAt),
          of: times.of,
          time: duration(times.within_ms),
        })
      : say("order.refundNoTimes", { ago: ago(createdAt) })
  return (
    <ul className="flex flex-col gap-y-2 px-6 py-2">
      {refunds.map((refund) => (
        <li key={refund.id} className="flex flex-col gap-y-1">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Link
              to={`/merchant-payments/${refund.id}`}
              className="txt-compact-small text-ui-fg-subtle hover:text-ui-fg-base"
            >
              {say(BACK_WORDS[refund.progress], { amount: money(refund.amount, refund.currency) })}
            </Link>
            <RefundBadge progress={refund.progress} />
          </div>
          {refund.progress === "on_its_way" && <Hint>{expected(refund.created_at)}</Hint>}
        </li>
      ))}
    </ul>
  )
}

export const config = defineWidgetConfig({
  zone: "order.details.side.after",
  id: "merchant-payments-order",
})

export default fitted(OrderPayments)
