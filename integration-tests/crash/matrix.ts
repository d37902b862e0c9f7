/**
 * Every moment of death of every story, under the scripts: what moves money and brings it into Medusa
 * under all of them, what comes before the reference is committed and the other stories under some.
 * Beside being killed, a worker is frozen past its lease, or cut off from its database, where it matters.
 */
import type { FailpointName } from "../../src/core/ports"
import type { Death } from "./failpoints"
import type { HostFault } from "./medusa-faults"
import { PAYOUT_STORY } from "./payout-stories"
import { REFUND_SCRIPTS, REFUND_STORY, RETRY_STORY } from "./refund-stories"
import { OK, SCRIPTS, type Script } from "./scripts"
import type { Shopper } from "./plot"
import { OTHER_STORIES, PUSH_STORY, type Story } from "./stories"

export type Scenario = {
  readonly story: Story
  readonly script: Script
  /** Null: no worker dies. */
  readonly death: Death | null
  readonly shopper: Shopper
  /** What becomes of one of Medusa's answers. */
  readonly hostFault?: HostFault | null
}

const SHOPPERS: readonly Shopper[] = ["at once", "later", "never"]

/** Whoever wakes up here has a claim, a call or a write in hand that is another's by now. */
const FROZEN_AT: readonly FailpointName[] = [
  "checkout.answered",
  "submit.committed",
  "execute.before_call",
  "execute.answered",
  "claim.committed",
  "look.answered",
  "verdict.before_commit",
  "looks.before_commit",
  "settle.read",
  "host.before_call",
  "host.answered",
  "recorded.before_commit",
]

/** What is written right after these is what a restarted process believes. */
const CUT_AT: readonly FailpointName[] = [
  "draft.before_commit",
  "checkout.answered",
  "submit.before_commit",
  "execute.answered",
  "verdict.before_commit",
  "looks.before_commit",
  "recorded.before_commit",
]

/** An event loop that does not turn, a rejection that nobody handles, a deploy. */
const STUMBLES = ["stall", "unhandled rejection", "SIGTERM"] as const

/** Passed only when money came, and told to Medusa. */
const SETTLING = /^(source|settle|host|recorded)\./

/** Nothing that can move money has left yet: of the scripts only those matter that come this early. */
const BEFORE_MONEY = /^(draft|checkout|wallet|keys)\.|^submit.before_commit$/
const EARLY = /^(no fault|source made|session and account|tokens down)/

const LOST = SCRIPTS.filter(({ name }) =>
  /execution (reset after|lost twice)|status down/.test(name),
)

/** @param seed chooses what the shopper does; the same seed, the same scenarios in the same order */
export function fullMatrix(seed: number): Scenario[] {
  const kills = SCRIPTS.flatMap((script) =>
    PUSH_STORY.points.filter(reached(script)).map(killed(PUSH_STORY, script)),
  )
  const others = OTHER_STORIES.flatMap((story) =>
    [OK, ...LOST.slice(0, 1)].flatMap((script) => story.points.map(killed(story, script))),
  )
  const refunds = REFUND_SCRIPTS.flatMap((script) =>
    REFUND_STORY.points.filter(reachedByRefund(script)).map(killed(REFUND_STORY, script)),
  )
  const refundsFrozen = REFUND_STORY.points.map(stoppedIn(REFUND_STORY, OK))
  const retriesFrozen = RETRY_STORY.points.map(stoppedIn(RETRY_STORY, OK))
  const payoutsFrozen = PAYOUT_STORY.points.map(stoppedIn(PAYOUT_STORY, OK))
  const frozen = [OK, ...LOST].flatMap((script) => FROZEN_AT.map(stopped(script)))
  const stumbled = STUMBLES.flatMap((by) => FROZEN_AT.map(stumbling(by)))
  const cuts = [OK, ...LOST.slice(0, 1)].flatMap((script) => CUT_AT.flatMap(severed(script)))
  return withShoppers(
    distinct([
      ...kills,
      ...others,
      ...refunds,
      ...refundsFrozen,
      ...retriesFrozen,
      ...payoutsFrozen,
      ...frozen,
      ...stumbled,
      ...cuts,
    ]),
    seed,
  )
}

/** Each moment of death once, and the worst ones frozen. */
export function shortMatrix(seed: number): Scenario[] {
  const seen = new Set<FailpointName>()
  const once = [...OTHER_STORIES, PUSH_STORY].flatMap((story) =>
    story.points
      .filter((name) => !seen.has(name) && seen.add(name))
      .map((name, index) => killed(story, LOST[index % (LOST.length + 1)] ?? OK)(name)),
  )
  const frozen = (["execute.before_call", "host.before_call"] as const).map(stopped(OK))
  const stumbled = STUMBLES.map((by) => stumbling(by)("look.answered"))
  const cuts = (["submit.before_commit", "verdict.before_commit"] as const).flatMap(severed(OK))
  return withShoppers([...once, ...frozen, ...stumbled, ...cuts], seed)
}

type Unshopped = Omit<Scenario, "shopper">

const killed =
  (story: Story, script: Script) =>
  (at: FailpointName): Unshopped => ({ story, script, death: { at, by: "SIGKILL" } })

const stoppedIn =
  (story: Story, script: Script) =>
  (at: FailpointName): Unshopped => ({ story, script, death: { at, by: "SIGSTOP" } })

const stopped = (script: Script) => stoppedIn(PUSH_STORY, script)

/** What two lists have in common is played once. */
function distinct(scenarios: readonly Unshopped[]): Unshopped[] {
  const known = new Map(
    scenarios.map((one) => [
      [one.story.name, one.script.name, one.death?.at, one.death?.by].join(),
      one,
    ]),
  )
  return [...known.values()]
}

const stumbling =
  (by: (typeof STUMBLES)[number]) =>
  (at: FailpointName): Unshopped => ({ story: PUSH_STORY, script: OK, death: { at, by } })

const severed =
  (script: Script) =>
  (at: FailpointName): Unshopped[] =>
    (["cut before", "cut after"] as const).map((by) => ({
      story: PUSH_STORY,
      script,
      death: { at, by },
    }))

const reached = (script: Script) => (name: FailpointName) =>
  BEFORE_MONEY.test(name) ? EARLY.test(script.name) : !script.isNeverSettled || !SETTLING.test(name)

/** What is not known while Medusa waits is answered no. */
const UNANSWERED = /500 before|429/

const reachedByRefund = (script: Script) => (name: FailpointName) =>
  name.startsWith("refund_answer.")
    ? !UNANSWERED.test(script.name)
    : !/^refund(_session)?\./.test(name) || /^no fault|session|429/.test(script.name)

function withShoppers(scenarios: readonly Unshopped[], seed: number): Scenario[] {
  let state = seed >>> 0
  return scenarios.map((scenario) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const shopper = SHOPPERS[Math.floor((state / 2 ** 32) * SHOPPERS.length)] ?? "never"
    return { ...scenario, shopper }
  })
}
