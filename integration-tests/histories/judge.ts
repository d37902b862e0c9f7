/**
 * The one judge of a history, whichever engine has played it: the oracle over the gateway's book,
 * the ledger and Medusa, the contract, and what must not wait for an admin.
 */
import type { Simulator } from "../../packages/simulator/src"
import { FOR_A_PERSON } from "../../src/review/sql/attention"
import {
  readLedger,
  type Evidence,
  type LedgerEvidence,
  type LedgerOperation,
  type Query,
} from "../support/evidence"
import { medusaOf } from "../support/medusa-evidence"
import type { Cart } from "../support/medusa-in-memory"
import { creditDisagreements } from "../support/medusa-refunds-in-memory"
import { violations } from "../support/violations"

/**
 * A refund failed, its money is still here, no refund stands in its place, and no list has it. What
 * an admin has dismissed with its payment was settled outside.
 */
const UNLISTED = `
  select o.id from mp_operation o
   where o.type = 'REFUND' and o.state in ('failed', 'expired') and o.dismissed_at is null
     and (select coalesce(sum(r.amount_minor), 0) from mp_operation r
           where r.parent_id = o.parent_id and r.state not in ('failed', 'expired'))
         < (select p.collected_minor from mp_operation p where p.id = o.parent_id)
     and not exists (select from mp_operation again
                      where again.parent_id = o.parent_id and again.type = 'REFUND'
                        and again.created_at > o.created_at)
     and not exists (select from (select * from mp_operation p where p.id = o.parent_id) o
                      where ${FOR_A_PERSON})
     and not exists (select from mp_operation p
                      where p.id = o.parent_id and p.state = 'failed'
                        and p.dismissed_at is not null)
     and not (${FOR_A_PERSON})`

/** Refunds of which it was noted that no line can be told apart: an admin is asked about their order. */
const UNCLEAR =
  "select operation_id from mp_operation_event where facts ->> 'credit_line' = 'unclear'"

export type History = {
  readonly query: Query
  readonly simulator: Simulator
  readonly carts: ReadonlyMap<string, Cart>
  readonly output: Evidence["output"]
  /** What no flow may do: an error that is no refusal, a schedule that does not end. */
  readonly surprises: readonly string[]
  /** Where the money was at more than one gateway: what the oracle sees of each. */
  readonly perGateway?: (evidence: Evidence) => Promise<readonly Evidence[]>
  /** The gateway that the account moved to, if it did. */
  readonly movedTo?: Simulator | undefined
  /** References of refunds that were made in the merchant's portal; left out: there is none. */
  readonly portalRefunds?: ReadonlySet<string>
  /** Whether an admin may be asked about it at the end; left out: about anything. */
  readonly mayWait?: (operation: LedgerOperation) => boolean
}

export type Judgement = {
  readonly ledger: LedgerEvidence
  readonly violations: readonly string[]
  /** Executions that took money. */
  readonly charges: number
  /** Refunds of the shop that went through. */
  readonly returns: number
}

/** In the middle of a history: what may never be so, not even for a moment. */
export async function breachesNow(history: History): Promise<string[]> {
  return violations(await evidenceOf(history))
}

/** At its end, when all is quiet: what was not noticed by now is lost. */
export async function judge(history: History): Promise<Judgement> {
  const { query, simulator, movedTo, carts, portalRefunds, mayWait = () => true } = history
  const evidence = await evidenceOf(history)
  const { ledger } = evidence
  const seen = (await history.perGateway?.(evidence)) ?? [evidence]
  const unlisted = await query(UNLISTED)
  const isUnclear = (await query(UNCLEAR)).length > 0
  const waiting = ledger.operations.filter((one) => one.state === "review" && !mayWait(one))
  return {
    ledger,
    charges: simulator.book.executions().filter(({ charges }) => charges > 0).length,
    returns: simulator.book
      .refunds()
      .filter(({ status, reference }) => status === "COMPLETED" && !portalRefunds?.has(reference))
      .length,
    violations: [
      ...seen.flatMap((one) => violations(one, { isQuiet: true })),
      ...(isUnclear ? [] : [...carts.values()].flatMap(creditDisagreements)),
      ...unlisted.map(({ id }) => `${String(id)} has failed, and stands in no list`),
      ...waiting.map(
        ({ id, reason }) => `${id} waits for an admin, though nothing disagrees: ${String(reason)}`,
      ),
      ...[simulator, ...(movedTo ? [movedTo] : [])].flatMap(({ contractViolations }) =>
        contractViolations.map((one) => `contract: ${JSON.stringify(one)}`),
      ),
      ...history.surprises,
    ],
  }
}

async function evidenceOf(history: History): Promise<Evidence> {
  const { query, simulator, carts, output, portalRefunds } = history
  return {
    book: simulator.book,
    ledger: await readLedger(query),
    medusa: medusaOf(carts),
    output,
    ...(portalRefunds && { portalRefunds }),
  }
}

/** How operations ended, for a reader. */
export function statesOf(operations: readonly LedgerOperation[]): string[] {
  return operations.map(({ type, state, isDuplicate, isRecorded, isReturned }) =>
    [
      type === "REFUND" ? `refund ${state}` : state,
      ...(isDuplicate ? ["duplicate"] : []),
      ...(isRecorded ? ["recorded"] : []),
      ...(isReturned ? ["returned"] : []),
    ].join(" and "),
  )
}

export function endingOf(states: readonly string[], charges: number, returns: number): string {
  const back = returns > 0 ? `, given back ${returns} times` : ""
  return `${states.join(", ") || "nothing begun"}; charged ${charges} times${back}`
}
