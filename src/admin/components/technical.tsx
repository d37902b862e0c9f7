/** The timeline of events, and the ids by which to find a payment elsewhere; folded at first. */
import { Container, Text, clx } from "@medusajs/ui"
import { useState } from "react"
import type { OperationDetail, TimelineEvent } from "../lib/responses"
import { useWords, type Words } from "../lib/words"
import { useAdminName } from "../lib/queries"
import { Button, Copyable, Hint, Part, Rows } from "./parts"

const SUMMARY =
  "h2-core focus-visible:shadow-borders-focus cursor-pointer rounded-lg px-6 py-4 outline-none"

export function Technical({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <Container className="p-0">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={clx(SUMMARY, "text-ui-fg-base")}>{say("detail.technical")}</summary>
        {isOpen && (
          <div className="divide-y border-t">
            <Timeline operation={operation} />
            <Times operation={operation} />
            <Ids operation={operation} />
          </div>
        )}
      </details>
    </Container>
  )
}

/** Events shown at first, so that an operation that was checked for days does not fill the page. */
const SHOWN_AT_FIRST = 12
const FACT_AND_VALUE = { gridTemplateColumns: "auto minmax(0, 1fr)" }

const GOOD = new Set(["complete", "recorded", "give_back", "returned", "accept"])
const BAD = new Set([
  "fail",
  "expire",
  "doubt",
  "strand",
  "contradicted",
  "taken_back",
  "settle_refused",
  "refund_refused",
])

type Of = Pick<OperationDetail, "type">

/**
 * The events of an operation, newest first: what was done, what the gateway said, the conclusion,
 * and the admin who acted.
 */
function Timeline({ operation }: { readonly operation: OperationDetail }) {
  const { events } = operation
  const { say } = useWords()
  const [showsAll, setShowsAll] = useState(false)
  const newest = [...events].reverse()
  const shown = showsAll ? newest : newest.slice(0, SHOWN_AT_FIRST)
  return (
    <Part title={say("timeline.title")}>
      <ol className="flex flex-col px-6 py-4" data-testid="timeline">
        {shown.map((event) => (
          <Happened key={event.seq} event={event} of={operation} />
        ))}
      </ol>
      {shown.length < newest.length && (
        <div className="px-6 py-3">
          <Button variant="transparent" onClick={() => setShowsAll(true)}>
            {say("timeline.showAll", { count: newest.length })}
          </Button>
        </div>
      )}
    </Part>
  )
}

function Happened({ event, of }: { readonly event: TimelineEvent; readonly of: Of }) {
  const words = useWords()
  const { say, time, coded } = words
  const who = useAdminName(event.by)
  const facts = Object.entries(event.facts).filter(isListed)
  return (
    <li className="group flex gap-x-3">
      <div className="flex flex-col items-center pt-1.5" aria-hidden>
        <span className={clx("size-2 shrink-0 rounded-full", colourOf(event.name))} />
        <span className="bg-ui-border-base mt-1 w-px flex-1 " />
      </div>
      <div className="min-w-0 flex-1 pb-4">
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <Text size="small" weight="plus">
            {titleOf(words, event.name, of)}
            {who && <span className="text-ui-fg-subtle"> {say("timeline.by", { who })}</span>}
          </Text>
          <Text size="xsmall" className="text-ui-fg-subtle tabular-nums">
            {time(event.at)}
          </Text>
        </div>
        <Hint className="break-words">{coded(`event.${event.code}`, event.facts, event.why)}</Hint>
        {facts.length > 0 && (
          <details className="mt-1">
            <summary
              className={clx(
                "txt-compact-xsmall text-ui-fg-subtle hover:text-ui-fg-base",
                "focus-visible:shadow-borders-focus w-fit cursor-pointer rounded outline-none",
              )}
            >
              {say("timeline.facts")}
            </summary>
            <dl
              className={clx(
                "bg-ui-bg-subtle mt-1 grid gap-x-3 gap-y-0.5",
                "rounded-md px-3 py-2 font-mono text-xs",
              )}
              style={FACT_AND_VALUE}
            >
              {facts.map(([name, value]) => (
                <Fact key={name} name={name} value={value} />
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return (
    <>
      <dt className="text-ui-fg-subtle">{name}</dt>
      <dd className="text-ui-fg-subtle break-words">{text}</dd>
    </>
  )
}

/** Facts that the event's sentence shows already, so the list below it leaves them out. */
const IN_SENTENCES = ["by", "asked_by", "note"]

function isListed([name, value]: readonly [string, unknown]): boolean {
  return !IN_SENTENCES.includes(name) && value !== null && value !== undefined
}

function titleOf({ say, coded }: Words, name: string, { type }: Of): string {
  if (type !== "COLLECTION" && name === "complete") return say("timeline.arrived")
  if (type === "REFUND" && name === "recorded") return say("timeline.refundRecorded")
  return coded(`timeline.${name}`)
}

function colourOf(name: string): string {
  if (GOOD.has(name)) return "bg-ui-tag-green-icon"
  return BAD.has(name) ? "bg-ui-tag-orange-icon" : "bg-ui-fg-muted"
}

function Ids({ operation }: { readonly operation: OperationDetail }) {
  const { say } = useWords()
  const ids = [
    ["detail.id", operation.id],
    ["detail.reference", operation.reference],
    ["detail.transaction", operation.provider_transaction_id],
    ["detail.methodCode", operation.operator?.payment_method],
    ["detail.intent", operation.payment_intent_id],
    ["detail.source", operation.source_number ?? operation.source_id],
    ["detail.session", operation.gateway_session_id],
    ["detail.medusaRefund", operation.refund_id],
    ["detail.orderId", operation.order_id],
    ["detail.cart", operation.cart_id],
    ["detail.collection", operation.payment_collection_id],
    ["detail.paymentSession", operation.payment_session_id],
    ["detail.account", operation.account_id],
    ["detail.provider", operation.provider_id],
    ["detail.reason", operation.reason?.code],
    ["detail.sourceStatus", operation.source_status],
  ] as const
  return (
    <Part title={say("detail.ids")}>
      <Rows rows={ids.map(([word, id]) => [word, id && <Copyable text={String(id)} />])} />
    </Part>
  )
}

function Times({ operation }: { readonly operation: OperationDetail }) {
  const { say, time } = useWords()
  const isOpen = operation.type === "COLLECTION" && !operation.recorded_at
  return (
    <Part title={say("detail.times")}>
      <Rows
        rows={[
          ["detail.created", time(operation.created_at)],
          ["detail.askedBy", useAdminName(operation.asked_by)],
          ["detail.submitted", time(operation.submitted_at)],
          ["detail.lastChecked", time(operation.checked_at)],
          ["detail.nextCheck", time(operation.next_check_at) || say("detail.never")],
          ["detail.recorded", time(operation.recorded_at)],
          ["state.returned", time(operation.returned_at)],
          ["state.dismissed", time(operation.dismissed_at)],
          ["detail.expires", isOpen && time(operation.expires_at)],
        ]}
      />
    </Part>
  )
}
