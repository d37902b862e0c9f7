import { LIMITS } from "../core/limits"
import type { Clock, Random } from "../core/ports"
import { databaseFault, isRepeatable } from "./database-error"

/**
 * Runs a statement again that surely did nothing, a few times, with full jitter: two that fell over
 * each other would meet again otherwise. The statement is a whole transaction and all that is
 * repeated; no call to the gateway is ever inside. One whose fate is unknown is not repeated here:
 * whoever sent it reads what became of it first.
 */
export async function repeatStatement<T>(
  statement: () => Promise<T>,
  ports: { readonly clock: Pick<Clock, "sleep">; readonly random: Random },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await statement()
    } catch (error) {
      if (tries >= LIMITS.databaseTries || !isRepeatable(databaseFault(error))) throw error
      await ports.clock.sleep(ports.random.fraction() * LIMITS.databasePauseMs * 2 ** (tries - 1))
    }
  }
}
