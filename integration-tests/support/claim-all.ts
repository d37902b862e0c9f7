import { systemRandom, type Random } from "../../src/core/ports"
import type { Operation } from "../../src/core/operation"
import type { Database } from "../../src/ledger/database"
import { claimWork } from "../../src/worker/claim-work"

/** Claims as a worker with free places does: what it is granted, and what Medusa has to record. */
export async function claimAll(
  database: Database,
  limit: number,
  random: Random = systemRandom,
): Promise<Operation[]> {
  const fail = (message: string) => {
    throw new Error(message)
  }
  const logger = { debug: fail, info: fail, warn: fail, error: fail }
  const underWay = { groups: () => [], room: () => limit }
  return [...(await claimWork({ database, random, logger, underWay }, limit)).operations]
}
