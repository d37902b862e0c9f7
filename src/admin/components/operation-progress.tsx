/** How far a payment has come: created, sent, approved, recorded; or where it ended instead. */
import { clx, Text } from "@medusajs/ui"
import type { OperationDetail } from "../lib/responses"
import { labelOf } from "../lib/operation-state"
import { useWords, type Words } from "../lib/words"

type Step = {
  readonly text: string
  /** Null: not reached. */
  readonly at: string | null
  readonly isBad?: true
}

/** Of a payment that ended otherwise, the event that says when. */
const STOPS = ["fail", "expire", "dismiss", "doubt", "strand", "give_back", "returned"]
const BAR = { height: 4, marginBottom: 6 }
const STEP_WIDTH = { flex: "1 1 130px" }

export function Progress({ operation }: { readonly operation: OperationDetail }) {
  const words = useWords()
  const { say, time } = words
  return (
    <ol
      className="flex flex-wrap gap-x-4 gap-y-3"
      data-testid="progress"
      aria-label={say("progress.title")}
    >
      {stepsOf(words, operation).map(({ text, at, isBad }) => (
        <li key={text} className="flex flex-col" style={STEP_WIDTH}>
          <span className={clx("rounded-full", colourOf(at, isBad))} style={BAR} aria-hidden />
          <Text size="small" weight="plus" className={at ? "" : "text-ui-fg-subtle"}>
            {text}
          </Text>
          <Text size="xsmall" className="text-ui-fg-subtle tabular-nums">
            {at ? time(at) : say("progress.notYet")}
          </Text>
        </li>
      ))}
    </ol>
  )
}

function colourOf(at: string | null, isBad?: true): string {
  if (at === null) return "bg-ui-border-base"
  return isBad ? "bg-ui-tag-orange-icon" : "bg-ui-tag-green-icon"
}

function stepsOf({ say }: Words, operation: OperationDetail): readonly Step[] {
  const { type, state, events, created_at, submitted_at, recorded_at } = operation
  const lastOf = (names: readonly string[]) =>
    [...events].reverse().find(({ name }) => names.includes(name))?.at ?? null
  const isComingIn = type === "COLLECTION"
  const done = lastOf(["complete", "accept"])
  const begun: Step[] = [
    { text: say("progress.created"), at: created_at },
    { text: say("progress.sent"), at: submitted_at },
  ]
  const arrived: Step = { text: say(isComingIn ? "progress.approved" : "state.arrived"), at: done }
  const recorded: Step = { text: say("progress.recorded"), at: recorded_at }
  const isStopped = ["failed", "expired", "review"].includes(state)
  const { word } = labelOf(operation)
  const stop: Step = { text: say(word), at: lastOf(STOPS) ?? operation.checked_at, isBad: true }
  if (isStopped) return [...begun, ...(done && isComingIn ? [arrived] : []), stop]
  const back: Step = { text: say(word), at: operation.returned_at }
  if (operation.returned_at) {
    return [...begun, arrived, ...(recorded_at ? [recorded] : []), back]
  }
  return [...begun, arrived, ...(isComingIn ? [recorded] : [])]
}
