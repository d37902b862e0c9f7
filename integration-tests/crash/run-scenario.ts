/** Plays one scenario, lets the shopper come back once more, and asks the oracle. */
import type { FaultEntry } from "../../simulator/faults"
import { DAY } from "../support/an-operation"
import { readLedger, type MedusaEvidence } from "../support/evidence"
import type { Cart } from "../support/host-in-memory"
import { violations } from "../support/violations"
import type { Scenario } from "./matrix"
import { CLIENT_SECRET, PHONE_FORMS } from "./secrets"
import { Stage, type Cast } from "./stage"

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
}

const HOW = {
  SIGKILL: "killed at",
  SIGSTOP: "frozen at",
  "cut before": "database cut before the commit at",
  "cut after": "database cut after the commit at",
} as const

export function nameOf({ story, script, death, shopper }: Scenario): string {
  return `${story.name}, ${script.name}, ${HOW[death.by]} ${death.at}, shopper returns ${shopper}`
}

export async function runScenario(cast: Cast, scenario: Scenario, seed: number): Promise<Verdict> {
  const { story, script, death, shopper } = scenario
  const stage = await Stage.open(cast, {
    seed: String(seed),
    script: story.outcome === undefined ? script : { ...script, outcome: story.outcome },
    faults: bothFaults(story.faults, script.faults),
    isDocumentFirst: story.isDocumentFirst ?? false,
    hostRefuses: story.hostRefuses ?? 0,
    death,
    shopper,
  })
  try {
    await story.play(stage)
    if (shopper !== "never") {
      // A tab that was left open: what is paid must not be asked for again.
      await stage.start("phone")
      await stage.quiet()
    }
    // What comes after everybody has stopped looking is lost: the book's end is the truth.
    await stage.pass(LONG_AFTER_MS)
    const ledger = await readLedger((sql) => cast.ledger.sql(sql))
    const workers = [cast.victim, ...cast.survivors]
    const evidence = {
      book: stage.simulator.book,
      ledger,
      medusa: medusaOf(stage.cart),
      output: {
        texts: workers.flatMap(({ output }) => output),
        secrets: [CLIENT_SECRET],
        phones: PHONE_FORMS,
      },
    }
    const mayReview = script.mayReview === true || story.mayReview === true
    const waiting = ledger.operations.filter(({ state }) => state === "review" && !mayReview)
    const charges = stage.simulator.book.executions().filter((one) => one.charges > 0).length
    const states = ledger.operations.map(
      ({ state, isRecorded }) => `${state}${isRecorded ? " and recorded" : ""}`,
    )
    return {
      name: nameOf(scenario),
      kills: stage.kills,
      faults: stage.simulator.faults.history().length,
      violations: [
        ...violations(evidence, { isQuiet: true }),
        ...waiting.map(({ id }) => `${id} waits for a person, though nothing disagrees`),
        ...stage.simulator.contractViolations.map((one) => `contract: ${JSON.stringify(one)}`),
        ...stage.surprises,
      ],
      ending: `${states.join(", ") || "nothing begun"}; charged ${charges} times`,
    }
  } finally {
    await stage.close()
  }
}

type Faults = Readonly<Record<string, readonly FaultEntry[]>>

/** The story's own come first; a script's for the same operation follow. */
function bothFaults(story: Faults = {}, script: Faults = {}): Faults {
  const operations = new Set([...Object.keys(story), ...Object.keys(script)])
  return Object.fromEntries(
    [...operations].map((name) => [name, [...(story[name] ?? []), ...(script[name] ?? [])]]),
  )
}

function medusaOf(cart: Cart): MedusaEvidence {
  return {
    payments: cart.payments.map((payment, index) => ({
      id: `pay_${index}`,
      sessionId: payment.sessionId,
      collectionId: "pay_col_1",
      providerId: "pp_mobile-money_merchant",
      amount: payment.amount ?? "0",
      currency: "USD",
      isCaptured: payment.isCaptured,
      isCanceled: payment.isCanceled,
      capturedAmount: payment.amount ?? "0",
      inOrderAmount: payment.isInOrder ? (payment.amount ?? "0") : "0",
      orderId: cart.order?.id ?? null,
      isOrderCanceled: cart.order?.isCanceled ?? false,
    })),
    sessionData: cart.shown,
  }
}
