/** What the oracle says of a soak that has come to rest, and what became of the payments. */
import type { Simulator } from "../../packages/simulator/src"
import { CLIENT_SECRET } from "../crash/secrets"
import { readLedger, type LedgerOperation } from "../support/evidence"
import { groupedBy } from "../support/evidence-index"
import type { LedgerDatabase } from "../support/ledger-database"
import { medusaOf } from "../support/medusa-evidence"
import { violations } from "../support/violations"
import type { Scenario } from "./scenarios"
import type { Shop } from "./shop"

export type Judgement = {
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

type Soaked = {
  readonly ledger: LedgerDatabase
  readonly simulator: Simulator
  readonly shop: Shop
  /** By the cart's payment collection. */
  readonly scenarios: ReadonlyMap<string, Scenario>
  readonly texts: readonly string[]
  readonly phones: readonly string[]
  readonly surprises: readonly string[]
}

/** A prompt that nobody answers, and a gateway that says no twice of what it carries out. */
const ANYBODYS_REASONS = ["no_answer", "late_payment"]

const IN_REVIEW = `
  select id, payment_collection_id, reason from mp_operation where state = 'review'`

export async function judge(soaked: Soaked): Promise<Judgement> {
  const { simulator, scenarios } = soaked
  const ledger = await readLedger((sql) => soaked.ledger.sql(sql))
  const evidence = {
    book: simulator.book,
    ledger,
    medusa: medusaOf(soaked.shop.carts),
    output: { texts: soaked.texts, secrets: [CLIENT_SECRET], phones: soaked.phones },
  }
  const { operations } = ledger
  const charges = chargesOf(simulator, operations)
  return {
    payments: scenarios.size,
    faults: simulator.faults.struck(),
    violations: [
      ...violations(evidence, { isQuiet: true }),
      ...(await withoutCause(soaked)),
      ...simulator.contractViolations.map((one) => `contract: ${JSON.stringify(one)}`),
      ...soaked.surprises,
    ],
    chargedOnce: [...charges.values()].filter((times) => times === 1).length,
    settled: operations.filter(({ isRecorded }) => isRecorded).length,
    inReview: operations.filter(({ state }) => state === "review").length,
    refunds: simulator.book.refunds().filter(({ status }) => status === "COMPLETED").length,
    endings: endingsOf(scenarios, operations, charges),
  }
}

/** A person is asked to look where shopper, shop and gateway agree. */
async function withoutCause({ ledger, scenarios }: Soaked): Promise<string[]> {
  const rows = await ledger.sql(IN_REVIEW)
  return rows.flatMap(({ id, payment_collection_id, reason }) => {
    const scenario = scenarios.get(String(payment_collection_id))
    const hasCause = scenario?.mayReview === true || ANYBODYS_REASONS.includes(String(reason))
    return hasCause
      ? []
      : [`${String(id)} (${scenario?.name ?? "nobody's"}) waits for a person: ${String(reason)}`]
  })
}

/** How often each cart was charged, by its payment collection. */
function chargesOf(
  simulator: Simulator,
  operations: readonly LedgerOperation[],
): ReadonlyMap<string, number> {
  const byReference = new Map(operations.map((one) => [one.reference, one.collectionId]))
  const bySource = new Map(operations.map((one) => [one.sourceId, one.collectionId]))
  const charges = new Map<string, number>()
  for (const { reference, sourceId, charges: times } of simulator.book.executions()) {
    const collectionId = byReference.get(reference) ?? bySource.get(sourceId)
    // Money that nobody knows is the oracle's to name.
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
  const told = [...scenarios].map(([collectionId, { name }]) => {
    const states = (byCollection.get(collectionId) ?? [])
      .map(({ type, state, isRecorded, isReturned }) =>
        [
          type === "REFUND" ? `refund ${state}` : state,
          ...(isRecorded ? ["recorded"] : []),
          ...(isReturned ? ["returned"] : []),
        ].join(" and "),
      )
      .sort()
    const charged = `charged ${charges.get(collectionId) ?? 0} times`
    return `${name}: ${states.join(", ") || "nothing begun"}; ${charged}`
  })
  const often = [...groupedBy(told, (ending) => ending)].map(
    ([ending, list]) => [list.length, ending] as const,
  )
  return often.sort(([one], [other]) => other - one).map(([times, text]) => `${times} × ${text}`)
}
