/** Plays one scenario, lets the shopper come back once more, and asks the oracle. */
import type { FaultEntry } from "../../packages/simulator/src/faults"
import { DAY } from "../support/an-operation"
import { endingOf, judge, statesOf } from "../histories/judge"
import type { Judged } from "../histories/judges"
import { Onlooker } from "../histories/onlooker"
import { diceOf, type Dice } from "../soak/dice"
import { announcementViolations } from "../support/announcement-violations"
import type { Passed } from "../support/moments"
import { minorOf } from "../support/minor-of"
import type { Scenario } from "./matrix"
import { medusaFaultAtWork, type MedusaFaultAtWork } from "./medusa-faults"
import {
  CLIENT_SECRET,
  LATE_PHONE,
  PASSCODE,
  PHONE,
  PHONE_FORMS,
  ROTATED_SECRET,
} from "../histories/secrets"
import { Harness } from "./harness"
import type { Cast } from "./setup"
import { perGateway } from "./per-gateway"

/** All is quiet by then: what is paid has its receipt, and is not due for another. */
const WITHOUT_RECEIPT = `
  select o.id from mp_operation o
   where o.type = 'COLLECTION' and o.state = 'completed' and o.source_id is not null
     and (o.receipt_due_at is not null
          or not exists (select from mp_receipt r where r.operation_id = o.id))`

/** What no order could take began to go back later than a minute after it was known. */
const LATE_BACK = `
  select r.id from mp_operation r
    join mp_operation_event e on e.operation_id = r.parent_id and e.name = 'complete'
   where r.type = 'REFUND' and r.created_at - e.created_at > interval '1 minute'`

/** Where there is much of something to look at, as a look is the dearer part of a scenario. */
const JUDGED_MOST = 1

const LONG_AFTER_MS = 7 * DAY

export type Verdict = {
  readonly name: string
  /** 1 when the process died, or froze, at the moment of the scenario. */
  readonly kills: number
  /** Faults that the gateway's side has met a call with. */
  readonly faults: number
  readonly violations: readonly string[]
  /** How it ended, for a person. */
  readonly ending: string
  /** The exits of whoever is to die; only of a rehearsal. */
  readonly passed: readonly Passed[]
  /** What people were shown in the end: how often each property was judged. */
  readonly judged: Judged
}

const HOW = {
  SIGKILL: "killed at",
  SIGTERM: "told to end at",
  SIGSTOP: "frozen at",
  stall: "stalled at",
  "unhandled rejection": "ended by a rejection that nobody handled at",
  "cut before": "database cut before the commit at",
  "cut after": "database cut after the commit at",
} as const

export function nameOf({ journey, script, death, shopper, medusaFault }: Scenario): string {
  const dying = death ? `${HOW[death.by]} ${death.at}` : "nobody dies"
  const medusas = medusaFault
    ? `, call ${medusaFault.nth} of Medusa's ${medusaFault.call} ${medusaFault.fault}`
    : ""
  return `${journey.name}, ${script.name}, ${dying}${medusas}, shopper returns ${shopper}`
}

/** @param medusaFault the scenario's own, for a caller that asks it for more than the verdict */
export async function runScenario(
  cast: Cast,
  scenario: Scenario,
  seed: number,
  medusaFault: MedusaFaultAtWork = medusaFaultAtWork(scenario.medusaFault ?? null),
): Promise<Verdict> {
  const { journey, script, death, shopper } = scenario
  // Two of the workers have played scenarios before.
  const heard = new Map(
    [cast.victim, ...cast.survivors].map(({ announced }) => [announced, announced.length]),
  )
  const harness = await Harness.open(cast, {
    seed: String(seed),
    script: { ...script, ...outcomesOf(journey) },
    faults: bothFaults(journey.faults, script.faults),
    isDocumentFirst: journey.isDocumentFirst ?? false,
    isOrderFirst: journey.isOrderFirst ?? false,
    medusaRefuses: journey.medusaRefuses ?? 0,
    medusaRefusesRefunds: journey.medusaRefusesRefunds ?? 0,
    medusaRefusesByRule: journey.medusaRefusesByRule ?? false,
    isRepeatRefused: journey.isRepeatRefused ?? false,
    isRefundFailedLate: journey.isRefundFailedLate ?? false,
    isOrphanRefunded: journey.isOrphanRefunded ?? false,
    sessionLifeMs: journey.sessionLifeMs,
    promptedSource: journey.promptedSource,
    death,
    isRehearsed: scenario.isRehearsed ?? false,
    medusaFault,
    shopper,
  })
  const onlooker = onlookerIn(harness, diceOf(seed, nameOf(scenario)))
  try {
    await journey.play(harness)
    const before = await cast.reader.atOneMoment(() => onlooker.look())
    // What is paid only by the tab that comes back has nobody who gives it back.
    const isPaidInJourney = harness.simulator.book.executions().some(({ charges }) => charges > 0)
    if (shopper !== "never") {
      // A tab that was left open: what is paid must not be asked for again.
      await harness.start("phone")
      await harness.quiet()
    }
    // What comes after the last check is lost: the book's end is the truth.
    await harness.pass(LONG_AFTER_MS)
    const shown = [...before, ...(await cast.reader.atOneMoment(() => onlooker.look(true)))]
    // A lease of a process that died is waited for.
    const isSoon = journey.isAnsweredSoon === true && death === null
    const lateBack = isSoon ? await cast.ledger.sql(LATE_BACK) : []
    const withoutReceipt = await cast.ledger.sql(WITHOUT_RECEIPT)
    const workers = [cast.victim, ...cast.survivors]
    const mayReview = script.mayReview === true || journey.mayReview === true
    const { book } = harness.simulator
    const judged = await judge({
      query: (sql) => cast.ledger.sql(sql),
      simulator: harness.simulator,
      movedTo: harness.movedTo,
      perGateway: (evidence) => perGateway(cast, harness, evidence),
      carts: harness.shop.carts,
      output: {
        texts: workers.flatMap(({ output }) => output),
        secrets: [CLIENT_SECRET, ROTATED_SECRET, PASSCODE],
        phones: PHONE_FORMS,
      },
      surprises: harness.surprises,
      mayWait: () => mayReview,
    })
    const { ledger, charges, returns } = judged
    const out = [...book.payouts(), ...book.transfers()]
    return {
      passed: cast.victim.passed(),
      judged: onlooker.judged,
      name: nameOf(scenario),
      kills: harness.kills,
      faults: harness.simulator.faults.history().length,
      violations: [
        ...judged.violations,
        ...announcementViolations(
          ledger,
          workers.flatMap(({ announced }) => announced.slice(heard.get(announced))),
        ),
        ...withoutReceipt.map(({ id }) => `${String(id)} has no receipt`),
        ...lateBack.map(({ id }) => `${String(id)} was made later than within a minute`),
        ...(out.length > 1 ? [`I9: ${out.length} payouts were made of one`] : []),
        ...(journey.isGivenBack && isPaidInJourney ? owedBy(journey, harness, charges) : []),
        ...shown,
        ...(cast.victim.isStuck() ? ["I7: a worker waits for Medusa without end"] : []),
      ],
      ending:
        (out.length > 0 ? `paid out ${out.length} times; ` : "") +
        endingOf(statesOf(ledger.operations.filter(isOfPayer)), charges, returns),
    }
  } finally {
    await harness.close()
  }
}

/** Whoever reads the pages of shopper and admin, while no worker has anything to do. */
function onlookerIn(harness: Harness, dice: Dice): Onlooker {
  const { cast, shop, simulator } = harness
  // Time passes by moving what the ledger has written, so it is always now.
  return new Onlooker(simulator, dice, () => cast.reader.deps(shop, Date.now), {
    carts: shop.carts,
    sessionIds: shop.sessionIds,
    movedTo: () => harness.movedTo,
    phoneOf: ({ phone_hint: hint }) =>
      hint !== null && LATE_PHONE.endsWith(hint) ? LATE_PHONE : PHONE,
    compares: false,
    most: JUDGED_MOST,
  })
}

const isOfPayer = ({ type }: { readonly type: string }) => !["PAYOUT", "TRANSFER"].includes(type)

/** What no order can take goes back by itself, also what a tab pays that comes back. */
function owedBy(
  { isOrphanRefunded }: Scenario["journey"],
  { simulator }: Harness,
  charges: number,
): string[] {
  const back = simulator.book.refunds().filter(({ status }) => status === "COMPLETED")
  const backMinor = back.reduce((sum, one) => sum + minorOf(one.amount, one.currency), 0n)
  const owedMinor = isOrphanRefunded === true ? BigInt(charges) * 1_999n : 1_999n
  return backMinor === owedMinor ? [] : [`I4: ${backMinor} of ${owedMinor} went back in the end`]
}

const outcomesOf = ({ outcome, refundOutcome }: Scenario["journey"]) => ({
  ...(outcome === undefined ? {} : { outcome }),
  ...(refundOutcome === undefined ? {} : { refundOutcome }),
})

type Faults = Readonly<Record<string, readonly FaultEntry[]>>

/** The journey's own come first; a script's for the same operation follow. */
function bothFaults(journey: Faults = {}, script: Faults = {}): Faults {
  const operations = new Set([...Object.keys(journey), ...Object.keys(script)])
  return Object.fromEntries(
    [...operations].map((name) => [name, [...(journey[name] ?? []), ...(script[name] ?? [])]]),
  )
}
