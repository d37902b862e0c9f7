/**
 * An admin decides. The gateway's answer and Medusa's records are side by side, then the note and
 * the three decisions, each with its effect or why it is not possible. The store asks the gateway
 * again before it acts, so nothing is decided by what this page shows.
 */
import { Button, Label, Text, Textarea, toast, usePrompt } from "@medusajs/ui"
import { useId, useState } from "react"
import type { OperationResponse, OperationDetail, GatewayReading } from "../lib/responses"
import { atStake } from "../lib/at-stake"
import { act, useAct, useMedusaOrder, type Resolve } from "../lib/queries"
import { useWords } from "../lib/words"
import { useCheck } from "./operation-head"
import { Hint, Problem, Row, Section } from "./parts"

type Action = Resolve["action"]
const CHOICE_AND_TEXT = { gridTemplateColumns: "120px minmax(0, 1fr)" }
const ACTIONS: readonly Action[] = ["accept", "refund", "dismiss"]

export function Review(props: {
  readonly operation: OperationDetail
  readonly reading: GatewayReading | null
  readonly onAnswer: (answer: OperationResponse) => void
}) {
  const { operation, reading, onAnswer } = props
  const { say } = useWords()
  return (
    <Section title={say("review.title")}>
      <div className="grid grid-cols-1 md:grid-cols-2">
        <GatewaySays operation={operation} reading={reading} onAnswer={onAnswer} />
        {isOfCustomer(operation) && <MedusaHolds operation={operation} />}
      </div>
      <Decide operation={operation} reading={reading} onAnswer={onAnswer} />
    </Section>
  )
}

function GatewaySays(props: {
  readonly operation: OperationDetail
  readonly reading: GatewayReading | null
  readonly onAnswer: (answer: OperationResponse) => void
}) {
  const { operation, reading } = props
  const { say, money, time } = useWords()
  const check = useCheck(operation, props.onAnswer)
  return (
    <div className="flex flex-col gap-y-2 py-4">
      <Text size="small" weight="plus" className="px-6">
        {say("review.gatewaySays")}
      </Text>
      {reading === null && (
        <div className="px-6">
          <Hint>{say("review.notAsked")}</Hint>
        </div>
      )}
      {reading?.kind === "unanswered" && (
        <div className="px-6">
          <Hint>{say("review.noAnswer")}</Hint>
        </div>
      )}
      {reading?.kind === "not_asked" && (
        <div className="px-6">
          <Hint>{say("review.nothingThere")}</Hint>
        </div>
      )}
      {reading?.kind === "reads" ? (
        <div data-testid="reading">
          <Row name={say("review.execution")}>{reading.execution}</Row>
          <Row name={say("review.source")}>{reading.source}</Row>
          <Row name={say("review.amount")}>
            {reading.amount === null ? null : money(reading.amount, reading.currency)}
          </Row>
        </div>
      ) : (
        <div>
          <Row name={say("review.lastKnown")}>{operation.source_status}</Row>
          <Row name={say("detail.collected")}>
            {operation.collected_amount === null
              ? null
              : money(operation.collected_amount, operation.currency)}
          </Row>
          <Row name={say("detail.lastChecked")}>
            {operation.checked_at && time(operation.checked_at)}
          </Row>
        </div>
      )}
      <div className="px-6">
        <Button
          size="small"
          variant="secondary"
          isLoading={check.isPending}
          onClick={() => check.mutate()}
        >
          {say("review.askNow")}
        </Button>
      </div>
    </div>
  )
}

function MedusaHolds({ operation }: { readonly operation: OperationDetail }) {
  const { say, coded, money } = useWords()
  const { data: order } = useMedusaOrder(operation.order_id)
  const inOrder = (amount: number) => money(amount, order?.currency_code.toUpperCase() ?? null)
  return (
    <div className="flex flex-col gap-y-2 py-4">
      <Text size="small" weight="plus" className="px-6">
        {say("review.medusaHolds")}
      </Text>
      {operation.order_id === null && (
        <div className="px-6">
          <Hint>{say("review.noOrder")}</Hint>
        </div>
      )}
      <div>
        {order && (
          <>
            <Row name={say("review.order", { number: order.display_id })}>
              {coded(`medusaStatus.${order.status}`)}
            </Row>
            <Row name={say("review.paymentStatus")}>
              {coded(`medusaStatus.${order.payment_status}`)}
            </Row>
            <Row name={say("review.total")}>{inOrder(order.total)}</Row>
            {order.summary && (
              <Row name={say("review.paid")}>{inOrder(order.summary.paid_total)}</Row>
            )}
            {order.summary && (
              <Row name={say("review.open")}>{inOrder(order.summary.pending_difference)}</Row>
            )}
          </>
        )}
        <Row name={say("detail.asked")}>{money(operation.amount, operation.currency)}</Row>
        <Row name={say("detail.recorded")}>
          {say(operation.recorded_at ? "review.recorded" : "review.notRecorded")}
        </Row>
      </div>
    </div>
  )
}

function Decide(props: {
  readonly operation: OperationDetail
  readonly reading: GatewayReading | null
  readonly onAnswer: (answer: OperationResponse) => void
}) {
  const { operation } = props
  const { say, money } = useWords()
  const field = useId()
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
  const ask = useAct<void, OperationResponse>(() => act.check(operation.id), props.onAnswer)
  const titles = { accept: "Accept", refund: "Refund", dismiss: "Dismiss" } as const
  /** Undefined if the gateway could not be asked; the page then says why. */
  const readAnew = () =>
    ask.mutateAsync().then(
      ({ gateway }) => gateway,
      () => undefined,
    )
  const decide = async (action: Action) => {
    const why = note.trim()
    setMissing(why === "")
    if (why === "") return
    const read = action === "refund" ? await readAnew() : props.reading
    if (read === undefined) return
    const stake = atStake(operation, action, read)
    const isSure = await prompt({
      title: stake
        ? say(`review.confirm${titles[action]}`, { amount: money(stake.amount, stake.currency) })
        : say("review.confirmRefundUnknown"),
      description: stake ? textOf(say, operation, action) : say("review.refundUnknownText"),
      confirmText: say(`review.${action}`),
      cancelText: say("general.cancel"),
      variant: action === "refund" ? "danger" : "confirmation",
    })
    const shown = action === "refund" && stake ? { expected_amount: stake.amount } : {}
    if (isSure) resolve.mutate({ action, note: why, ...shown })
  }
  return (
    <div className="flex flex-col gap-y-4 px-6 py-4">
      <div className="flex flex-col gap-y-1">
        <Label htmlFor={field} size="small" weight="plus">
          {say("review.note")}
        </Label>
        <Textarea
          id={field}
          rows={2}
          maxLength={1_000}
          value={note}
          aria-invalid={isMissing}
          aria-describedby={`${field}-hint`}
          onChange={(event) => setNote(event.target.value)}
        />
        <p
          id={`${field}-hint`}
          className={`txt-small ${isMissing ? "text-ui-fg-error" : "text-ui-fg-subtle"}`}
        >
          {say(isMissing ? "review.noteNeeded" : "review.noteHint")}
        </p>
      </div>
      <Problem error={resolve.error ?? ask.error} />
      <ul className="flex flex-col gap-y-3">
        {ACTIONS.map((action) => (
          <Choice
            key={action}
            operation={operation}
            action={action}
            isBusy={resolve.isPending || ask.isPending}
            onChoose={() => void decide(action)}
          />
        ))}
      </ul>
    </div>
  )
}

function Choice(props: {
  readonly operation: OperationDetail
  readonly action: Action
  readonly isBusy: boolean
  readonly onChoose: () => void
}) {
  const { operation, action } = props
  const { say, coded } = useWords()
  const found = operation.actions.find((one) => one.action === action)
  const whyNot = found?.why_not
  // Only a customer's payment can be refunded.
  if (operation.type !== "COLLECTION" && action === "refund") return null
  return (
    <li className="grid items-center gap-x-4 gap-y-1" style={CHOICE_AND_TEXT}>
      <Button
        size="small"
        className="w-full"
        variant={action === "accept" ? "primary" : "secondary"}
        disabled={found?.is_possible !== true || props.isBusy}
        onClick={props.onChoose}
      >
        {say(`review.${action}`)}
      </Button>
      <div>
        <Hint>{textOf(say, operation, action)}</Hint>
        {whyNot && (
          <Text size="small" className="text-ui-tag-orange-text">
            {say("review.notPossible")}: {coded(`not_possible.${whyNot.code}`, {}, whyNot.en)}
          </Text>
        )}
      </div>
    </li>
  )
}

/** Medusa has no record of a payout. */
function isOfCustomer({ type }: OperationDetail): boolean {
  return type === "COLLECTION" || type === "REFUND"
}

function textOf(
  say: ReturnType<typeof useWords>["say"],
  { type }: OperationDetail,
  action: Action,
): string {
  if (type === "REFUND" && action === "accept") return say("review.acceptRefundText")
  if (type === "REFUND" && action === "dismiss") return say("review.dismissRefundText")
  const isOut = type === "PAYOUT" || type === "TRANSFER"
  if (isOut && action === "accept") return say("review.acceptPayoutText")
  if (isOut && action === "dismiss") return say("review.dismissPayoutText")
  return say(`review.${action}Text`)
}
