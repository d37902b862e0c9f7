/**
 * A link for an order that asks for money, and its state. An order has one link; after it has
 * ended another can be made.
 */
import { StatusBadge, toast } from "@medusajs/ui"
import { Suspense, lazy, useState } from "react"
import { Link as To } from "react-router-dom"
import { ApiError, post } from "../lib/api"
import { LINK_EVERY_MS, ORDER_EVERY_MS } from "../lib/pauses"
import type {
  LinkState,
  OperationResponse,
  OrderPaymentsResponse,
  PaymentLink as Link,
  PaymentLinkResponse,
} from "../lib/responses"
import { BASE, useAct, useRead } from "../lib/queries"
import type { Colour } from "../lib/operation-state"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { Button, Hint, Problem, Row, Strong, copy } from "./parts"

/** The QR code, whose library is loaded only when an admin opens the code. */
const Code = lazy(async () => ({ default: (await import("qrcode.react")).QRCodeSVG }))
const CODE_SIDE_PX = 168

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

const pathOf = (orderId: string) => `${BASE}/orders/${encodeURIComponent(orderId)}/payment-link`

/** States of a link that may change soon. */
const LIVE = ["being_made", "open", "being_paid", "closing", "processing"]

export function isLiveLink(link: PaymentLinkResponse["payment_link"] | undefined): boolean {
  return link !== null && link !== undefined && LIVE.includes(link.state)
}

export function usePaymentLink(orderId: string) {
  return useRead<PaymentLinkResponse>(["link", orderId], pathOf(orderId), {
    refetchInterval: ({ state }) =>
      isLiveLink(state.data?.payment_link) ? LINK_EVERY_MS : ORDER_EVERY_MS,
  })
}

/** Asks the gateway for the link's address again. */
const resend = (id: string) =>
  post<OperationResponse>(`${BASE}/operations/${encodeURIComponent(id)}/resend`)

/** Whether there is something to show: an open amount, or a link that is not closed. */
export function hasLinkToShow(answer: PaymentLinkResponse | undefined, isOurs: boolean): boolean {
  if (!answer) return false
  if (answer.payment_link && (answer.payment_link.state !== "closed" || isOurs)) return true
  const code = answer.why_not?.code
  // An order in a currency without an account is not paid through this plugin.
  if (code === "currency_not_served" || code === "not_configured") return isOurs
  return answer.open_amount !== null
}

type Of = { readonly orderId: string; readonly answer: PaymentLinkResponse }

export function PaymentLinkSection({
  orderId,
  answer,
  isOtherShown,
}: Of & {
  /** Whether Medusa's own payment link is displayed on the same page. */
  readonly isOtherShown: boolean
}) {
  const { payment_link: link } = answer
  const { say, money } = useWords()
  const isLive = isLiveLink(link)
  const isAsking = !isLive && answer.open_amount !== null
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
      {link && isLive && <Live link={link} />}
      {link?.state === "closed" && (
        <Hint className="px-6">
          {say(link.reason === "window_closed" ? "link.overText" : "link.closedText")}
        </Hint>
      )}
      {isAsking && <Maker orderId={orderId} answer={answer} />}
      {isAsking && answer.why_not === null && (
        <AskOnPhone orderId={orderId} amount={money(answer.open_amount, answer.currency)} />
      )}
      {isOtherShown && answer.open_amount !== null && (
        <Hint className="px-6">{say("link.which")}</Hint>
      )}
    </section>
  )
}

function Live({ link }: { readonly link: Link }) {
  const { say, money, time } = useWords()
  const [isCodeShown, setCodeShown] = useState(false)
  const { url } = link
  const again = useAct(() => resend(link.operation_id), "link.againDone")
  const copyLink = async (text: string) => {
    await copy(text)
    toast.success(say("link.copied"))
  }
  return (
    <div className="flex flex-col gap-y-3">
      <div>
        <Row name={say("link.amount")}>{money(link.amount, link.currency)}</Row>
        <Row name={say("link.until")}>{time(link.expires_at)}</Row>
        <Row name={say("link.address")}>{url}</Row>
      </div>
      {url && (
        <div className="flex flex-wrap gap-2 px-6">
          <Button variant="primary" onClick={() => void copyLink(url)}>
            {say("link.copy")}
          </Button>
          <Button aria-expanded={isCodeShown} onClick={() => setCodeShown((isShown) => !isShown)}>
            {say(isCodeShown ? "link.hideCode" : "link.showCode")}
          </Button>
          <Button isLoading={again.isPending} onClick={() => again.mutate()}>
            {say("link.again")}
          </Button>
          <Button asChild>
            <To to={`/merchant-payments/${link.operation_id}`}>{say("order.details")}</To>
          </Button>
        </div>
      )}
      {url && isCodeShown && (
        <div className="px-6">
          <Suspense fallback={<Hint>{say("general.loading")}</Hint>}>
            {/* Black on white also in the dark theme, because cameras need it. */}
            <span className="inline-flex rounded-lg p-2" style={{ background: "#fff" }}>
              <Code value={url} title={say("link.codeTitle")} size={CODE_SIDE_PX} role="img" />
            </span>
          </Suspense>
        </div>
      )}
      <Hint className="px-6">{say(`link.${link.state}Text`)}</Hint>
    </div>
  )
}

function Maker({ orderId, answer }: Of) {
  const { say, field, money, problem } = useWords()
  const [phone, setPhone] = useState("")
  const make = useAct(
    () => post<PaymentLinkResponse>(pathOf(orderId), phone.trim() ? { phone: phone.trim() } : {}),
    "link.made",
  )
  const { why_not: whyNot, open_amount: open, currency } = answer
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

/** A prompt on the phone of a customer who is at the counter or on the telephone. */
function AskOnPhone({ orderId, amount }: { readonly orderId: string; readonly amount: string }) {
  const { say, field } = useWords()
  const [phone, setPhone] = useState("")
  const [isShort, setShort] = useState(false)
  const path = `${BASE}/orders/${encodeURIComponent(orderId)}/prompt`
  const asking = useAct(
    () => post<OrderPaymentsResponse>(path, { phone: phone.trim() }),
    () => {
      setPhone("")
      toast.success(say("prompt.asked"))
    },
  )
  return (
    <form
      className="flex flex-col items-start gap-y-3 px-6"
      data-testid="ask-on-phone"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setShort(phone.trim() === "")
        if (phone.trim() !== "") asking.mutate()
      }}
    >
      <Hint>{say("prompt.text", { amount })}</Hint>
      <TextField
        {...field("prompt.phone")}
        error={isShort && phone === "" ? say("prompt.phoneNeeded") : undefined}
        type="tel"
        value={phone}
        onChange={setPhone}
      />
      <Problem error={asking.error} />
      <Button type="submit" isLoading={asking.isPending}>
        {say("prompt.ask")}
      </Button>
    </form>
  )
}
