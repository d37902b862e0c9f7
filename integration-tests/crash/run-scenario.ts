/** Plays one scenario, lets the shopper come back once more, and asks the oracle. */
import type { FaultEntry } from "../../packages/simulator/src/faults"
import { DAY } from "../support/an-operation"
import { announcementViolations } from "../support/announcement-violations"
import { readLedger } from "../support/evidence"
import type { Passed } from "../support/moments"
import { medusaOf } from "../support/medusa-evidence"
import { minorOf } from "../support/minor-of"
import { creditDisagreements } from "../support/refund-records-in-memory"
import { violations } from "../support/violations"
import { FOR_A_PERSON } from "../../src/review/sql/attention"
import type { Scenario } from "./matrix"
import { medusaFaultAtWork, type MedusaFaultAtWork } from "./medusa-faults"
import { CLIENT_SECRET, PASSCODE, PHONE_FORMS, ROTATED_SECRET } from "./secrets"
import { Harness, type Cast } from "./harness"
import { perGateway } from "./per-gateway"

/** All is quiet by then: what is paid has its receipt, and is not due for another. */
const WITHOUT_RECEIPT = `
  select o.id from mp_operation o
   where o.type = 'COLLECTION' and o.state = 'completed' and o.source_id is not null
     and (o.receipt_due_at is not null
          or not exists (select from mp_receipt r where r.operation_id = o.id))`

/** No refund stands in their place, their money is here, and a person is not told. */
const UNLISTED = `
  select o.id from mp_operation o
   where o.type = 'REFUND' and o.state in ('failed', 'expired') and o.dismissed_at is null
     and (select coalesce(sum(r.amount_minor), 0) from mp_operation r
           where r.parent_id = o.parent_id and r.state not in ('failed', 'expired'))
         < (select p.collected_minor from mp_operation p where p.id = o.parent_id)
     and not exists (select from mp_operation again
                      where again.parent_id = o.parent_id and again.type = 'REFUND'
                        and again.created_at > o.created_at)
     and not (${FOR_A_PERSON})`

/** What no order could take began to go back later than a minute after it was known. */
const LATE_BACK = `
  select r.id from mp_operation r
    join mp_operation_event e on e.operation_id = r.parent_id and e.name = 'complete'
   where r.type = 'REFUND' and r.created_at - e.created_at > interval '1 minute'`

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

/** @param medusaFault the scenario's own, for whoever asks it for more than the verdict */
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
  try {
    await journey.play(harness)
    const charged = () =>
      harness.simulator.book.executions().filter((one) => one.charges > 0).length
    // What is paid only by the tab that comes back has nobody who gives it back.
    const isPaidInStory = charged() > 0
    if (shopper !== "never") {
      // A tab that was left open: what is paid must not be asked for again.
      await harness.start("phone")
      await harness.quiet()
    }
    // What comes after everybody has stopped looking is lost: the book's end is the truth.
    await harness.pass(LONG_AFTER_MS)
    const ledger = await readLedger((sql) => cast.ledger.sql(sql))
    const unlisted = await cast.ledger.sql(UNLISTED)
    // A lease of a process that died is waited for.
    const isSoon = journey.isAnsweredSoon === true && death === null
    const lateBack = isSoon ? await cast.ledger.sql(LATE_BACK) : []
    const withoutReceipt = await cast.ledger.sql(WITHOUT_RECEIPT)
    const workers = [cast.victim, ...cast.survivors]
    const evidence = {
      book: harness.simulator.book,
      ledger,
      medusa: medusaOf(new Map([["pay_col_1", harness.cart]])),
      output: {
        texts: workers.flatMap(({ output }) => output),
        secrets: [CLIENT_SECRET, ROTATED_SECRET, PASSCODE],
        phones: PHONE_FORMS,
      },
    }
    const seen = await perGateway(cast, harness, evidence)
    const mayReview = script.mayReview === true || journey.mayReview === true
    const waiting = ledger.operations.filter(({ state }) => state === "review" && !mayReview)
    const charges = charged()
    const back = harness.simulator.book.refunds().filter(({ status }) => status === "COMPLETED")
    const backMinor = back.reduce((sum, one) => sum + minorOf(one.amount, one.currency), 0n)
    // What no order can take goes back by itself, also what a tab pays that comes back.
    const owedMinor = journey.isOrphanRefunded === true ? BigInt(charges) * 1_999n : 1_999n
    const isOwed = journey.isGivenBack === true && isPaidInStory && backMinor !== owedMinor
    const { book } = harness.simulator
    const out = [...book.payouts(), ...book.transfers()]
    const payments = ledger.operations.filter(({ type }) => !["PAYOUT", "TRANSFER"].includes(type))
    const states = payments.map(
      ({ state, isRecorded }) => `${state}${isRecorded ? " and recorded" : ""}`,
    )
    return {
      passed: cast.victim.passed(),
      name: nameOf(scenario),
      kills: harness.kills,
      faults: harness.simulator.faults.history().length,
      violations: [
        ...seen.flatMap((one) => violations(one, { isQuiet: true })),
        ...announcementViolations(
          ledger,
          workers.flatMap(({ announced }) => announced.slice(heard.get(announced))),
        ),
        ...withoutReceipt.map(({ id }) => `${String(id)} has no receipt`),
        ...unlisted.map(({ id }) => `${String(id)} has failed, and stands in no list`),
        ...lateBack.map(({ id }) => `${String(id)} was made later than within a minute`),
        ...creditDisagreements(harness.cart),
        ...waiting.map(({ id }) => `${id} waits for a person, though nothing disagrees`),
        ...(out.length > 1 ? [`I9: ${out.length} payouts were made of one`] : []),
        ...(isOwed ? [`I4: ${backMinor} of ${owedMinor} went back in the end`] : []),
        ...[harness.simulator, ...(harness.movedTo ? [harness.movedTo] : [])].flatMap((one) =>
          one.contractViolations.map((violation) => `contract: ${JSON.stringify(violation)}`),
        ),
        ...(cast.victim.isStuck() ? ["I7: a worker waits for Medusa without end"] : []),
        ...harness.surprises,
      ],
      ending: `${out.length > 0 ? `paid out ${out.length} times; ` : ""}${states.join(", ") || "nothing begun"}; charged ${charges} times${back.length > 0 ? `, given back ${back.length} times` : ""}`,
    }
  } finally {
    await harness.close()
  }
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
