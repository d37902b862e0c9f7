/** The work of one claim: what the gateway may be asked, and what only Medusa has to record. */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { grantChecks, spendChecks } from "../ledger/limits/check-budget"
import { claimDueOperations } from "../ledger/claim-due-operations"
import type { FlowDeps, UnderWay } from "../engine/deps"
import { MEDUSA_WORK } from "./under-way"

export type ClaimedWork = {
  readonly operations: readonly Operation[]
  /** The groups of which as much was claimed as they had room for: more may be due. */
  readonly full: readonly string[]
}

type ClaimParts = Pick<FlowDeps, "database" | "random" | "logger"> & {
  readonly worker?: string
  readonly underWay: Pick<UnderWay, "groups" | "room">
}

/**
 * Claims no more than has room, so nothing that is claimed waits for a place.
 * @param atMost operations of one account at most, and of the work in Medusa
 */
export async function claimWork(deps: ClaimParts, atMost: number): Promise<ClaimedWork> {
  const { database, random, logger, underWay, worker } = deps
  const full: string[] = []
  // Read once: places become free while the claims are under way.
  const room = new Map(
    [MEDUSA_WORK, ...underWay.groups()].map((group) => [
      group,
      Math.min(atMost, underWay.room(group)),
    ]),
  )
  const roomOf = (group: string) => room.get(group) ?? atMost
  const claim = async (group: string, limit: number, accountId?: AccountId) => {
    if (limit === 0) return []
    const due = await claimDueOperations(database, {
      ...(accountId !== undefined && { accountId }),
      ...(worker !== undefined && { worker }),
      leaseMs: LIMITS.leaseMs,
      limit,
      fraction: random.fraction(),
      onUnreadable: (error) => logger.error(`merchant payments: ${error.message}`),
    })
    if (due.length > 0 && due.length >= roomOf(group)) full.push(group)
    return due
  }
  const grants = await grantChecks(database, atMost, room)
  const claims = await Promise.all([
    claim(MEDUSA_WORK, roomOf(MEDUSA_WORK)),
    ...grants.map(async ({ accountId, questions }) => {
      const due = await claim(accountId, questions, accountId)
      // Another worker was faster.
      const unasked = questions - due.length
      if (unasked > 0) await spendChecks(database, accountId, -unasked)
      return due
    }),
  ])
  return { operations: claims.flat(), full }
}
