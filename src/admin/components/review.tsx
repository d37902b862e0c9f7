/**
 * An admin decides. The gateway's answer and Medusa's records are side by side, then the note and
 * the three decisions, each with its effect or why it is not possible. The store asks the gateway
 * again before it acts, so nothing is decided by what this page shows.
 */
import { Text, toast, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { Link } from "react-router-dom"
import type { OperationResponse, OperationDetail, GatewayReading } from "../lib/responses"
import { amountOfCase, atStake, choicesOf, receivedAbove } from "../lib/decision"
import { act, useAct, useMedusaOrder, type Resolve } from "../lib/queries"
import { useWords, type Words } from "../lib/words"
import { TextField } from "./fields"
import { useCheck } from "./operation-head"
import { Button, Hint, Problem, Row, Section, Strong } from "./parts"

type Action = Resolve["action"]
const CHOICE_AND_TEXT = { gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 190px), 1fr))" }

type Props = {
  readonly operation: OperationDetail
  readonly reading: GatewayReading | null
  readonly onAnswer: (answer: OperationResponse) => void
}

/** The text for each reason why there is no answer of the gateway to show. */
const NOTHING_READ = {
  none: "review.notAsked",
  unanswered: "review.noAnswer",
  not_asked: "review.nothingThere",
} as const

export function Review(props: Props) {
  const { say } = useWords()
  return (
    <Section title={say("review.title")}>
      <div className="grid grid-cols-1 md:grid-cols-2">
        <GatewaySays {...props} />
        {/* Medusa has no record of a payout. */}
        {!isOut(props.operation) && <MedusaHolds operation={props.operation} />}
      </div>
      <Decide {...props} />
    </Section>
  )
}

function GatewaySays(props: Props) {
  const { operation, reading } = props
  const words = useWords()
  const { say, time, money } = words
  const check = useCheck(operation, props.onAnswer)
  return (
    <div className="flex flex-col gap-y-2 py-4">
      <Strong className="px-6">{say("review.gatewaySays")}</Strong>
      {reading?.kind === "reads" ? (
        <div data-testid="reading">
          <Row name={say("review.execution")}>{statusText(words, reading.execution)}</Row>
          <Row name={say("review.source")}>{statusText(words, reading.source)}</Row>
          <Row name={say("review.amount")}>{money(reading.amount, reading.currency)}</Row>
        </div>
      ) : (
        <>
          <Hint className="px-6">{say(NOTHING_READ[reading?.kind ?? "none"])}</Hint>
          <div>
            <Row name={say("review.lastKnown")}>{statusText(words, operation.source_status)}</Row>
            <Row name={say("detail.collected")}>
              {money(operation.collected_amount, operation.currency)}
            </Row>
            <Row name={say("detail.lastChecked")}>{time(operation.checked_at)}</Row>
          </div>
        </>
      )}
      <div className="px-6">
        <Button isLoading={check.isPending} onClick={() => check.mutate()}>
          {say("review.askNow")}
        </Button>
      </div>
    </div>
  )
}

function MedusaHolds({ operation }: { readonly operation: OperationDetail }) {
  const { say, coded, money } = useWords()
  const orderId = operation.decision?.order_id ?? operation.order_id
  const otherId = operation.decision?.other_payment_id ?? null
  const order = useMedusaOrder(orderId)
  const currency = order?.currency_code.toUpperCase() ?? null
  const inOrder = (amount?: number) => money(amount ?? null, currency)
  return (
    <div className="flex flex-col gap-y-2 py-4">
      <Strong className="px-6">{say("review.medusaHolds")}</Strong>
      {orderId === null && <Hint className="px-6">{say("review.noOrder")}</Hint>}
      <div>
        {order && (
          <>
            <Row name={say("review.order", { number: order.display_id ?? "" })}>
              {coded(`medusaStatus.${order.status}`)}
            </Row>
            <Row name={say("review.paymentStatus")}>
              {coded(`medusaStatus.${order.payment_status}`)}
            </Row>
            <Row name={say("review.total")}>{inOrder(order.total)}</Row>
            <Row name={say("review.paid")}>{inOrder(order.summary?.paid_total)}</Row>
            <Row name={say("review.open")}>{inOrder(order.summary?.pending_difference)}</Row>
          </>
        )}
        <Row name={say("detail.asked")}>{money(operation.amount, operation.currency)}</Row>
        <Row name={say("detail.recorded")}>
          {say(operation.recorded_at ? "review.recorded" : "review.notRecorded")}
        </Row>
        {otherId && (
          <Row name={say("review.otherPayment")}>
            <Link to={`/merchant-payments/${otherId}`} className="underline">
              {otherId}
            </Link>
          </Row>
        )}
      </div>
    </div>
  )
}

function Decide(props: Props) {
  const { operation } = props
  const words = useWords()
  const { say, field, money } = words
  const prompt = usePrompt()
  const [note, setNote] = useState("")
  const [isMissing, setMissing] = useState(false)
  const resolve = useAct(
    (given: Resolve) => act.resolve(operation.id, given),
    (answer) => {
      setNote("")
      props.onAnswer(answer)
      toast.success(say("review.done"))
    },
  )
  const ask = useAct(() => act.check(operation.id), props.onAnswer)
  const decide = async (action: Action) => {
    const why = note.trim()
    setMissing(why === "")
    if (why === "") return
    const isRefund = action === "refund" || action === "refund_rest"
    // Null if the gateway could not be asked; the page then says why.
    const anew = isRefund ? await ask.mutateAsync().catch(() => null) : null
    if (isRefund && !anew) return
    const read = anew ? anew.gateway : props.reading
    const stake = atStake(operation, action, read)
    const isSure = await prompt({
      title: stake
        ? say(`review.confirm_${action}`, { amount: money(stake.amount, stake.currency) })
        : say("review.confirmRefundUnknown"),
      description: stake ? textOf(words, operation, action) : say("review.refundUnknownText"),
      confirmText: say(`review.${action}`),
      cancelText: say("general.cancel"),
      variant: isRefund ? "danger" : "confirmation",
    })
    const shown = isRefund && stake ? { expected_amount: stake.amount } : {}
    if (isSure) resolve.mutate({ action, note: why, ...shown })
  }
  return (
    <div className="flex flex-col gap-y-4 px-6 py-4">
      <TextField
        {...field("review.note")}
        error={isMissing ? say("review.noteNeeded") : undefined}
        value={note}
        onChange={setNote}
        rows={2}
        maxLength={1_000}
      />
      <Problem error={resolve.error ?? ask.error} />
      <ul className="flex flex-col gap-y-3">
        {choicesOf(operation).map((choice) => (
          <Choice
            key={choice.action}
            {...choice}
            operation={operation}
            isBusy={resolve.isPending || ask.isPending}
            onChoose={() => void decide(choice.action)}
          />
        ))}
      </ul>
      <NotNow operation={operation} />
    </div>
  )
}

/** Why "accept" and "refund" are missing. */
function NotNow({ operation }: { readonly operation: OperationDetail }) {
  const { say, coded } = useWords()
  const shown = choicesOf(operation).map(({ action }) => action)
  const missing = (["accept", "refund"] as const).filter((action) => !shown.includes(action))
  const usual = missing.flatMap((action) => {
    const whyNot = operation.actions.find((one) => one.action === action)?.why_not
    return whyNot && whyNot.code !== "action_not_possible" ? [{ action, whyNot }] : []
  })
  return usual.map(({ action, whyNot }) => (
    <Text key={action} size="small" className="text-ui-tag-orange-text">
      {say(`review.${action}`)} · {say("review.notPossible")}:{" "}
      {coded(`not_possible.${whyNot.code}`, {}, whyNot.en)}
    </Text>
  ))
}

function Choice(
  props: ReturnType<typeof choicesOf>[number] & {
    readonly operation: OperationDetail
    readonly isBusy: boolean
    readonly onChoose: () => void
  },
) {
  const { operation, action, disabled } = props
  const words = useWords()
  const { say, coded } = words
  return (
    <li className="grid items-center gap-x-4 gap-y-1" style={CHOICE_AND_TEXT}>
      <Button
        className="w-full"
        variant={props.isRecommended ? "primary" : "secondary"}
        disabled={props.isBusy || disabled !== null}
        onClick={props.onChoose}
      >
        {say(`review.${action}`)}
      </Button>
      <Hint>
        {disabled
          ? coded(`not_possible.${disabled.code}`, disabled.facts, disabled.en)
          : textOf(words, operation, action)}
      </Hint>
    </li>
  )
}

function isOut({ type }: OperationDetail): boolean {
  return type === "PAYOUT" || type === "TRANSFER"
}

/** What each choice does to the money and to the order. */
function textOf({ say, coded, money }: Words, operation: OperationDetail, action: Action): string {
  const { type, amount, currency, decision } = operation
  if (type !== "COLLECTION" && (action === "accept" || action === "dismiss")) {
    return say(`review.${action}${isOut(operation) ? "Payout" : "Refund"}Text`)
  }
  const choice = decision?.choices.find((one) => one.action === action)
  const number = decision?.order_number
  return coded(`review.consequence.${choice?.consequence ?? ""}`, {
    order: number ? `#${number}` : (decision?.order_id ?? ""),
    amount: money(amount, currency),
    all: money(amountOfCase(operation), currency),
    more: money(receivedAbove(operation), currency),
  })
}

/** A status in the admin's language. The gateway's own word is under the technical details. */
function statusText({ coded }: Words, status: string | null): string | null {
  return status && coded(`gatewayStatus.${status}`, {}, coded("gatewayStatus.other"))
}
