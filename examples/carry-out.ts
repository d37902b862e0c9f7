/**
 * Moves money once: writes down what will be executed, executes it, and follows its status to the
 * end. The same for a collection, a refund and a payout.
 *
 * The reference decides, never the answer of the execution. After a lost answer the status is asked
 * under the same reference, and only what the gateway has not known for a minute is sent again: the
 * very same request. There is never a second reference for the same money.
 */
import { setTimeout as pause } from "node:timers/promises"
import { Invalid, NotFound } from "merchant-payments-gateway"
import type { Execution, Outcome } from "merchant-payments-gateway"
import type { Facts, Journal } from "./journal.js"
import { END, say, Stop } from "./program.js"
import type { End } from "./program.js"

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 15_000
const DEFAULT_WAIT_SECONDS = 600
/** A request whose answer was lost may still arrive: for so long "not found" proves nothing. */
const ABSENT_AFTER_MS = 60_000

export type Movement = {
  /** The step that holds what is executed; one for each movement of the journal. */
  readonly step: string
  /**
   * Everything before the execution; its facts are all that `send` needs. A {@link Stop} ends it.
   */
  readonly prepare: () => Promise<Facts>
  readonly send: (prepared: Facts) => Promise<Outcome<Execution>>
  readonly status: () => Promise<Outcome<Execution>>
  /** Whether what was completed is what was meant; asked again until it is. */
  readonly isConfirmed?: () => Promise<boolean>
}

export async function carryOut(journal: Journal, movement: Movement): Promise<End> {
  const earlier = journal.find(movement.step)
  const { kept, isMine } = earlier
    ? { kept: earlier, isMine: false }
    : await decide(journal, movement)
  return "givenUp" in kept ? END.notDone : follow(journal, movement, kept, isMine)
}

/** To execute or to give up is one step, so that two runs can't do one each. */
async function decide(journal: Journal, { step, prepare }: Movement) {
  try {
    return journal.keep(step, await prepare())
  } catch (error) {
    if (!(error instanceof Stop) || error.end !== END.notDone) throw error
    say("given up", { why: error.message })
    return journal.keep(step, { givenUp: "yes" })
  }
}

async function follow(
  journal: Journal,
  { step, send, status, isConfirmed = async () => true }: Movement,
  prepared: Facts,
  isMine: boolean,
): Promise<End> {
  const endsAtMs = performance.now() + waitMs()
  let sentAtMs = Date.parse(prepared["at"] ?? "")
  let isRefused = isMine && isRefusal(await send(prepared))

  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const seen = await status()
    switch (seen.kind) {
      case "done":
        say("status", { status: seen.value.status, why: seen.value.gatewayMessage })
        if (seen.value.status === "FAILED") return END.notDone
        if (seen.value.status === "COMPLETED" && (await isConfirmed())) return END.done
        break // PENDING, PROCESSING and every value that is new: under way.
      case "refused":
        say("no status", { error: seen.error })
        // The reference is a UUID, so a 422 says that it is unknown, too.
        if (!(seen.error instanceof NotFound || seen.error instanceof Invalid)) break
        if (isRefused || journal.find(`${step} refused`)) {
          journal.keep(`${step} refused`, {})
          return END.notDone
        }
        if (Date.now() - sentAtMs > ABSENT_AFTER_MS) {
          sentAtMs = Date.now()
          isRefused = isRefusal(await send(prepared))
        }
        break
      case "not_sent":
      case "unknown":
        say("no status", { error: seen.error })
        break
    }
    const askedMs = seen.kind === "done" ? 0 : (seen.error.retryAfterMs ?? 0)
    const nextMs = Math.max(pauseMs, askedMs)
    // Also when the wait is no number.
    if (!(performance.now() + nextMs < endsAtMs)) return END.notKnown
    await pause(nextMs)
  }
}

/**
 * Whether the request can't be carried out any more, not even a copy of it that is still under way.
 * Only `done` and a status say that it was: none of these is the end.
 */
function isRefusal(outcome: Outcome<Execution>): boolean {
  switch (outcome.kind) {
    case "done":
      say("accepted", { referenceId: outcome.value.referenceId, status: outcome.value.status })
      return false
    case "refused":
    case "not_sent":
      say("not accepted", { error: outcome.error })
      return outcome.error instanceof Invalid
    case "unknown":
      say("answer lost", { error: outcome.error })
      return false
  }
}

const waitMs = () => Number(process.env["WAIT_SECONDS"] ?? DEFAULT_WAIT_SECONDS) * 1_000
