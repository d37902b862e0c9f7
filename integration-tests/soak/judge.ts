/** What the judge says of a soak that has come to rest, and what became of the payments. */
import { judge, statesOf, type History } from "../histories/judge"
import { CLIENT_SECRET } from "../histories/secrets"
import type { LedgerOperation } from "../support/evidence"
import { groupedBy } from "../support/evidence-index"
import type { Scenario } from "./scenarios"

export type SoakJudgement = {
  readonly payments: number
  /** Calls to the gateway that a fault has struck. */
  readonly faults: number
  readonly violations: readonly string[]
  /** Carts that were charged exactly once. */
  readonly chargedOnce: number
  /** Payments that the shop knows, captured and in an order. */
  readonly settled: number
  readonly inReview: number
  /** That went through, in whole or in part. */
  readonly refunds: number
  /** How the carts of each scenario ended, and how many of them so. */
  readonly endings: readonly string[]
}

type Soaked = Pick<History, "query" | "simulator" | "carts" | "surprises"> & {
  /** By the cart's payment collection. */
  readonly scenarios: ReadonlyMap<string, Scenario>
  readonly texts: readonly string[]
  readonly phones: readonly string[]
}

/** A prompt without an answer, and a gateway that says no twice of what it carries out. */
const REASONS_OF_ANY = ["no_answer", "late_payment"]

export async function judgeSoak(soaked: Soaked): Promise<SoakJudgement> {
  const { simulator, scenarios, texts, phones } = soaked
  const { ledger, violations, returns } = await judge({
    ...soaked,
    output: { texts, secrets: [CLIENT_SECRET], phones },
    mayWait: ({ collectionId, reason }) =>
      scenarios.get(collectionId)?.mayReview === true || REASONS_OF_ANY.includes(String(reason)),
  })
  const { operations } = ledger
  const charges = chargesOf(soaked, operations)
  return {
    payments: scenarios.size,
    faults: simulator.faults.struck(),
    violations,
    chargedOnce: [...charges.values()].filter((times) => times === 1).length,
    settled: operations.filter(({ isRecorded }) => isRecorded).length,
    inReview: operations.filter(({ state }) => state === "review").length,
    refunds: returns,
    endings: endingsOf(scenarios, operations, charges),
  }
}

/** How often each cart was charged, by its payment collection. */
function chargesOf(
  { simulator }: Soaked,
  operations: readonly LedgerOperation[],
): ReadonlyMap<string, number> {
  const byReference = new Map(operations.map((one) => [one.reference, one.collectionId]))
  const bySource = new Map(operations.map((one) => [one.sourceId, one.collectionId]))
  const charges = new Map<string, number>()
  for (const { reference, sourceId, charges: times } of simulator.book.executions()) {
    const collectionId = byReference.get(reference) ?? bySource.get(sourceId)
    // Money that no operation knows is the oracle's to name.
    if (collectionId === undefined) continue
    charges.set(collectionId, (charges.get(collectionId) ?? 0) + times)
  }
  return charges
}

function endingsOf(
  scenarios: ReadonlyMap<string, Scenario>,
  operations: readonly LedgerOperation[],
  charges: ReadonlyMap<string, number>,
): string[] {
  const byCollection = groupedBy(operations, ({ collectionId }) => collectionId)
  const endings = [...scenarios].map(([collectionId, { name }]) => {
    const states = statesOf(byCollection.get(collectionId) ?? []).sort()
    const charged = `charged ${charges.get(collectionId) ?? 0} times`
    return `${name}: ${states.join(", ") || "nothing begun"}; ${charged}`
  })
  const often = [...groupedBy(endings, (ending) => ending)].map(
    ([ending, list]) => [list.length, ending] as const,
  )
  return often.sort(([one], [other]) => other - one).map(([times, text]) => `${times} × ${text}`)
}
