/**
 * A link for an order that asks for money, and its state. An order has one link; after it has
 * ended another can be made.
 */
import { StatusBadge } from "@medusajs/ui"
import { useState } from "react"
import { ApiError } from "../lib/api"
import { ask } from "../lib/endpoints"
import { LINK_EVERY_MS, ORDER_EVERY_MS } from "../lib/pauses"
import type { LinkState, PaymentLinkResponse } from "../lib/responses"
import { useAct, useRead } from "../lib/queries"
import type { Colour } from "../lib/operation-state"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { AskOnPhone } from "./link/ask-on-phone"
import { LiveLink } from "./link/live-link"
import type { LinkedOrder } from "./link/share-link"
import { Button, Hint, Problem, Strong } from "./parts"

const COLOURS: Readonly<Record<LinkState, Colour>> = {
  being_made: "grey",
  open: "blue",
  being_paid: "blue",
  closing: "orange",
  processing: "blue",
  paid: "green",
  closed: "grey",
  under_review: "orange",
}

/** States of a link that may change soon. */
const LIVE = ["being_made", "open", "being_paid", "closing", "processing"]

export function isLiveLink(link: PaymentLinkResponse["payment_link"] | undefined): boolean {
  return link !== null && link !== undefined && LIVE.includes(link.state)
}

export function usePaymentLink(orderId: string) {
  return useRead(
    "GET orders/:id/payment-link",
    { id: orderId },
    {
      refetchInterval: ({ state }) =>
        isLiveLink(state.data?.payment_link) ? LINK_EVERY_MS : ORDER_EVERY_MS,
    },
  )
}

/** Whether there is something to show: an open amount, or a link that is not closed. */
export function hasLinkToShow(answer: PaymentLinkResponse | undefined, isOurs: boolean): boolean {
  if (!answer) return false
  if (answer.payment_link && (answer.payment_link.state !== "closed" || isOurs)) return true
  const code = answer.why_not?.code
  // An order in a currency without an account is not paid through this plugin.
  if (code === "currency_not_served" || code === "not_configured") return isOurs
  return answer.open_amount !== null
}

type Of = { readonly order: LinkedOrder; readonly answer: PaymentLinkResponse }

export function PaymentLinkSection({
  order,
  answer,
  isOtherShown,
}: Of & {
  /** Whether Medusa's own payment link is displayed on the same page. */
  readonly isOtherShown: boolean
}) {
  const { payment_link: link, why_not: whyNot } = answer
  const { say, money } = useWords()
  const isLive = isLiveLink(link)
  const isAsking = !isLive && answer.open_amount !== null
  // A customer who waits at the counter may have an open link that nobody has paid.
  const canAsk = answer.open_amount !== null && (link?.state === "open" || isAsking)
  return (
    <section className="flex flex-col gap-y-3 py-4" data-testid="payment-link">
      <div className="flex flex-wrap items-center justify-between gap-2 px-6">
        <Strong>{say("link.title")}</Strong>
        {link && (
          <StatusBadge color={COLOURS[link.state]} className="text-nowrap">
            {say(`link.${link.state}`)}
          </StatusBadge>
        )}
      </div>
      {link && isLive && <LiveLink link={link} order={order} />}
      {link?.state === "closed" && (
        <Hint className="px-6">
          {say(link.reason === "window_closed" ? "link.overText" : "link.closedText")}
        </Hint>
      )}
      {isAsking && <Maker order={order} answer={answer} />}
      {canAsk && whyNot === null && (
        <AskOnPhone
          orderId={order.id}
          phone={order.phone}
          amount={money(answer.open_amount, answer.currency)}
          hasOpenLink={isLive}
        />
      )}
      {isOtherShown && answer.open_amount !== null && (
        <Hint className="px-6">{say("link.which")}</Hint>
      )}
    </section>
  )
}

function Maker({ order, answer }: Of) {
  const { say, field, money, problem } = useWords()
  const [phone, setPhone] = useState("")
  const make = useAct(
    () =>
      ask("POST orders/:id/payment-link", {
        id: order.id,
        body: phone.trim() ? { phone: phone.trim() } : {},
      }),
    "link.made",
  )
  const { why_not: whyNot, open_amount: open, currency } = answer
  if (whyNot?.code === "payment_in_progress") {
    // A prompt is out, or a page is being paid: all is well, and the payment stands below.
    return <Hint className="px-6">{say("link.underWay")}</Hint>
  }
  if (whyNot) {
    return <Hint className="px-6">{problem(new ApiError(409, { ...whyNot }))}</Hint>
  }
  const { error } = make
  const isPhoneAsked =
    error instanceof ApiError && (error.code === "phone_required" || error.code === "invalid_phone")
  return (
    <form
      className="flex flex-col items-start gap-y-3 px-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <Hint>{say("link.makeText", { amount: money(open, currency) })}</Hint>
      {isPhoneAsked ? (
        <TextField
          {...field("link.phone")}
          error={phone === "" ? undefined : problem(error)}
          type="tel"
          value={phone}
          onChange={setPhone}
          isRequired
        />
      ) : (
        <Problem error={error} />
      )}
      <Button variant="primary" type="submit" isLoading={make.isPending}>
        {say("link.make")}
      </Button>
    </form>
  )
}
