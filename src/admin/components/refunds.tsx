/** The refunds of a payment, each with its state, and the retry of a failed refund. */
import { StatusBadge, Text, toast, usePrompt } from "@medusajs/ui"
import { useState } from "react"
import { Link, useNavigate } from "react-router-dom"
import type { OperationDetail, OperationRefund, RequestResponse } from "../lib/responses"
import { act, useAct, useAdminName, useMedusaOrder, useRequests } from "../lib/queries"
import { reasonText } from "../lib/decision"
import { useWords } from "../lib/words"
import type { Colour } from "../lib/operation-state"
import { TextField } from "./fields"
import { Button, Hint, Problem, Section } from "./parts"
import { Requests } from "./requests"

const COLOURS: Readonly<Record<OperationRefund["progress"], Colour>> = {
  on_its_way: "blue",
  returned: "green",
  failed: "red",
  under_review: "orange",
}

export function Refunds({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const isOfPayment = ({ payment_id }: RequestResponse) => payment_id === operation.id
  const isAsked = useRequests().data?.requests.some(isOfPayment) === true
  if (operation.type !== "COLLECTION") return null
  const canRefund = operation.collected_amount !== null && operation.recorded_at !== null
  if (operation.refunds.length === 0 && !canRefund && !isAsked) return null
  return (
    <Section
      title={say("refunds.title")}
      beside={canRefund && <RefundLink operation={operation} />}
    >
      <Requests of={isOfPayment} />
      {operation.refunds.length === 0 ? (
        <Hint className="px-6 py-4">{say("refunds.none")}</Hint>
      ) : (
        <ul className="divide-y">
          {operation.refunds.map((refund) => (
            <OneRefund key={refund.id} refund={refund} />
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Opens Medusa's own refund form, in which this payment is chosen already. */
function RefundLink({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const { order_id, payment_session_id, returned_at } = operation
  const order = useMedusaOrder(order_id)
  const payment = order?.payment_collections
    ?.flatMap(({ payments }) => payments ?? [])
    .find(({ payment_session }) => payment_session?.id === payment_session_id)
  if (!order_id || !payment || returned_at) return null
  return (
    <Button asChild>
      <Link to={`/orders/${order_id}/refund?paymentId=${payment.id}`}>{say("refunds.refund")}</Link>
    </Button>
  )
}

export function RefundBadge({ progress }: Pick<OperationRefund, "progress">) {
  const { say } = useWords()
  return (
    <StatusBadge color={COLOURS[progress]} className="text-nowrap">
      {say(`refunds.${progress}`)}
    </StatusBadge>
  )
}

function OneRefund({ refund }: { readonly refund: OperationRefund }) {
  const { say, money, time, coded } = useWords()
  const who = useAdminName(refund.asked_by)
  const { approval, note } = refund
  const approver = useAdminName(approval?.approved_by ?? null)
  return (
    <li className="flex flex-col gap-y-1 px-6 py-3" data-testid="refund">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link
          to={`/merchant-payments/${refund.id}`}
          className="txt-compact-small-plus text-ui-fg-base underline tabular-nums"
        >
          {money(-refund.amount, refund.currency)}
        </Link>
        <RefundBadge progress={refund.progress} />
      </div>
      <Text size="xsmall" className="text-ui-fg-subtle">
        {time(refund.created_at)}
        {who && ` · ${say("refunds.askedBy")} ${who}`}
        {approver && ` · ${say("payouts.approvedBy")} ${approver}`}
      </Text>
      {[note, approval?.answer].filter(Boolean).map((words, index) => (
        <Hint key={index}>
          <bdi>{words}</bdi>
        </Hint>
      ))}
      {refund.reason && <Hint>{reasonText(coded, refund.reason)}</Hint>}
    </li>
  )
}

/** Retries a failed refund, or refunds a cancelled order's payment that was not given back. */
export function Retry({ operation }: { readonly operation: OperationDetail }) {
  const { say, money, coded } = useWords()
  const prompt = usePrompt()
  const navigate = useNavigate()
  const retry = useAct(
    () => act.retry(operation.id),
    ({ operation: made }) => {
      toast.success(say("refunds.retried"))
      void navigate(`/merchant-payments/${made.id}`)
    },
  )
  const offered = operation.actions.find(({ action }) => action === "retry")
  const isPossible = offered?.is_possible === true
  const isSoon = offered?.why_not?.code === "records_being_corrected" ? offered.why_not : null
  // While the request runs a retry is no longer possible, but the button stays until the result is
  // known.
  if (!isPossible && !isSoon && !retry.isPending) return null
  const what = operation.type === "COLLECTION" ? "rest" : "retry"
  const title = say(`refunds.${what}`)
  const text = say(`refunds.${what}Text`, { amount: money(operation.amount, operation.currency) })
  const ask = async () => {
    const isSure = await prompt({
      title,
      description: text,
      confirmText: title,
      cancelText: say("general.cancel"),
      variant: "confirmation",
    })
    if (isSure) retry.mutate()
  }
  return (
    <Section title={title}>
      <div className="flex flex-col items-start gap-y-3 px-6 py-4">
        <Hint>{isSoon ? coded(`not_possible.${isSoon.code}`, {}, isSoon.en) : text}</Hint>
        <Problem error={retry.error} />
        <Button
          variant="primary"
          isLoading={retry.isPending}
          disabled={isSoon !== null}
          onClick={() => void ask()}
        >
          {title}
        </Button>
        <PutAside operation={operation} text="refunds.putAsideText" />
      </div>
    </Section>
  )
}

/** For an operation that completed, and of which the gateway says something else since. */
export function Doubt({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  if (operation.attention !== "contradicted") return null
  return (
    <Section title={say("review.title")}>
      <div className="flex flex-col items-start gap-y-3 px-6 py-4">
        <PutAside operation={operation} text="refunds.doubtText" />
      </div>
    </Section>
  )
}

/** Takes an operation that was settled in another way off the list. No money moves. */
export function PutAside(props: {
  readonly operation: OperationDetail
  readonly text: "refunds.putAsideText" | "refunds.doubtText" | "strays.keepText"
}) {
  const { operation, text } = props
  const { say, field } = useWords()
  const prompt = usePrompt()
  const [note, setNote] = useState("")
  const [isMissing, setMissing] = useState(false)
  const dismiss = useAct(
    (why: string) => act.resolve(operation.id, { action: "dismiss", note: why }),
    "review.done",
  )
  const offered = operation.actions.find(({ action }) => action === "dismiss")
  if (offered?.is_possible !== true) return null
  const ask = async () => {
    const why = note.trim()
    setMissing(why === "")
    if (why === "") return
    const isSure = await prompt({
      title: say("refunds.putAsideSure"),
      description: why,
      confirmText: say("refunds.putAside"),
      cancelText: say("general.cancel"),
      variant: "confirmation",
    })
    if (isSure) dismiss.mutate(why)
  }
  return (
    <div className="flex w-full flex-col items-start gap-y-3">
      <Hint>{say(text)}</Hint>
      <TextField
        {...field("review.note")}
        error={isMissing ? say("review.noteNeeded") : undefined}
        value={note}
        onChange={setNote}
        rows={2}
        maxLength={1_000}
      />
      <Problem error={dismiss.error} />
      <Button variant="secondary" isLoading={dismiss.isPending} onClick={() => void ask()}>
        {say("refunds.putAside")}
      </Button>
    </div>
  )
}
