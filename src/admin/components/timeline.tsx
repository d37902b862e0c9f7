/**
 * The events of an operation, newest first: what was done, what the gateway said, the conclusion,
 * and the admin who acted.
 */
import { clx, Text } from "@medusajs/ui"
import { useState } from "react"
import type { OperationDetail, TimelineEvent } from "../lib/responses"
import { useAdminName } from "../lib/queries"
import { useWords, type Words } from "../lib/words"
import { Button, Hint, Part } from "./parts"

/** Keeps an operation that was checked for days from filling the page. */
const SHOWN_AT_FIRST = 12
const FACT_AND_VALUE = { gridTemplateColumns: "auto minmax(0, 1fr)" }

const GOOD = new Set(["complete", "recorded", "give_back", "returned", "accept"])
const BAD = new Set([
  "fail",
  "expire",
  "doubt",
  "strand",
  "contradicted",
  "settle_refused",
  "refund_refused",
])

type Of = Pick<OperationDetail, "type">

export function Timeline({ operation }: { readonly operation: OperationDetail }) {
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

/** These stand in the sentence above; empty values are left out. */
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
