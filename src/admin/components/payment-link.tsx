/**
 * A link for an order that asks for money, and its state. An order has one link, whoever made it;
 * after it has ended another can be made.
 */
import { Button, StatusBadge, Text, toast } from "@medusajs/ui"
import { useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { Link as To } from "react-router-dom"
import { ApiError } from "../lib/api"
import type { LinkState, PaymentLink as Link, PaymentLinkResponse } from "../lib/responses"
import { isLiveLink, linkActs } from "../lib/links"
import { useAct } from "../lib/queries"
import type { Colour } from "../lib/operation-state"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { copy, Copyable, Hint, Problem, Row } from "./parts"

const Code = lazy(() => import("./payment-link-code"))

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

/** Whether there is something to show: an open amount, or a link that is not closed. */
export function hasLinkToShow(answer: PaymentLinkResponse | undefined, isOurs: boolean): boolean {
  if (!answer) return false
  if (answer.payment_link && (answer.payment_link.state !== "closed" || isOurs)) return true
  const code = answer.why_not?.code
  // An order in a currency without an account is not paid through this plugin.
  if (code === "currency_not_served" || code === "not_configured") return isOurs
  return answer.open_amount !== null
}

export function PaymentLinkSection(props: {
  readonly orderId: string
  readonly answer: PaymentLinkResponse
}) {
  const { orderId, answer } = props
  const { payment_link: link } = answer
  const { say } = useWords()
  useOrderReread(link)
  const isLive = isLiveLink(link)
  const isAsking = !isLive && answer.open_amount !== null
  return (
    <section className="flex flex-col gap-y-3 py-4" data-testid="payment-link">
      <div className="flex flex-wrap items-center justify-between gap-2 px-6">
        <Text size="small" weight="plus">
          {say("link.title")}
        </Text>
        {link && (
          <StatusBadge color={COLOURS[link.state]} className="text-nowrap">
            {say(`link.${link.state}`)}
          </StatusBadge>
        )}
      </div>
      {link && isLive && <Live orderId={orderId} link={link} />}
      {link?.state === "closed" && (
        <div className="px-6">
          <Hint>{say(link.reason === "window_closed" ? "link.overText" : "link.closedText")}</Hint>
        </div>
      )}
      {isAsking && <Maker orderId={orderId} answer={answer} />}
    </section>
  )
}

/** Reloads the order around the widget as soon as it is paid. */
function useOrderReread(link: Link | null): void {
  const client = useQueryClient()
  const before = useRef(link?.state)
  useEffect(() => {
    const isNews = before.current !== undefined && before.current !== link?.state
    before.current = link?.state
    if (isNews && link?.state === "paid") {
      void client.invalidateQueries({ queryKey: ["orders"] })
    }
  }, [client, link?.state])
}

function Live({ orderId, link }: { readonly orderId: string; readonly link: Link }) {
  const { say, money, time } = useWords()
  const [isCodeShown, setCodeShown] = useState(false)
  const { url } = link
  const again = useAct(linkActs.again, ({ payment_link: fresh }) => {
    if (fresh?.url) void copied(fresh.url, say("link.againDone"))
  })
  return (
    <div className="flex flex-col gap-y-3">
      <div>
        <Row name={say("link.amount")}>{money(link.amount, link.currency)}</Row>
        <Row name={say("link.until")}>{time(link.expires_at)}</Row>
        <Row name={say("link.address")}>{url && <Copyable text={url} />}</Row>
      </div>
      {url && (
        <div className="flex flex-wrap gap-2 px-6">
          <Button size="small" onClick={() => void copied(url, say("link.copied"))}>
            {say("link.copy")}
          </Button>
          <Button
            size="small"
            variant="secondary"
            aria-expanded={isCodeShown}
            onClick={() => setCodeShown((isShown) => !isShown)}
          >
            {say(isCodeShown ? "link.hideCode" : "link.showCode")}
          </Button>
          <Button
            size="small"
            variant="secondary"
            isLoading={again.isPending}
            onClick={() => again.mutate({ orderId, id: link.operation_id })}
          >
            {say("link.again")}
          </Button>
          <Button size="small" variant="secondary" asChild>
            <To to={`/merchant-payments/${link.operation_id}`}>{say("order.details")}</To>
          </Button>
        </div>
      )}
      {url && isCodeShown && (
        <div className="px-6">
          <Suspense fallback={<Hint>{say("general.loading")}</Hint>}>
            <Code url={url} title={say("link.codeTitle")} />
          </Suspense>
        </div>
      )}
      <div className="px-6">
        <Hint>{say(`link.${link.state}Text`)}</Hint>
      </div>
    </div>
  )
}

async function copied(url: string, sentence: string): Promise<void> {
  await copy(url)
  toast.success(sentence)
}

function Maker({
  orderId,
  answer,
}: {
  readonly orderId: string
  readonly answer: PaymentLinkResponse
}) {
  const { say, money, problem } = useWords()
  const [phone, setPhone] = useState("")
  const make = useAct(linkActs.make, () => toast.success(say("link.made")))
  const { why_not: whyNot, open_amount: open, currency } = answer
  if (whyNot) {
    const refusal = new ApiError(409, whyNot.code, whyNot.message, { ...whyNot })
    return (
      <div className="px-6">
        <Hint>{problem(refusal)}</Hint>
      </div>
    )
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
        make.mutate({ orderId, phone })
      }}
    >
      <Hint>{say("link.makeText", { amount: money(open, currency) })}</Hint>
      {isPhoneAsked ? (
        <TextField
          label={say("link.phone")}
          hint={say("link.phoneHint")}
          error={phone === "" ? undefined : problem(error)}
          type="tel"
          value={phone}
          onChange={setPhone}
          isRequired
        />
      ) : (
        <Problem error={error} />
      )}
      <Button size="small" type="submit" isLoading={make.isPending}>
        {say("link.make")}
      </Button>
    </form>
  )
}
