/** Settings of trouble, with their defaults: none. */
import { WrongControl } from "./control/wrong-control"
import type { FaultEntry, RandomFaults } from "./faults"

export type TroubleSettings = {
  /**
   * Calls a second that a merchant may make, by the simulator's clock; one more answers 429 with
   * `Retry-After: 1`. Default 0: no limit, because the specification names no number.
   */
  requestsPerSecond: number
  /** Scripts to start with: `{ executeCollection: ["ok", "500:after"] }`. */
  faults: Readonly<Record<string, readonly FaultEntry[]>>
  /** Random faults from the start; null for none. */
  randomFaults: RandomFaults | null
}

/** Fills in the defaults. Throws a sentence for an invalid limit. */
export function troubleSettings(options: Partial<TroubleSettings>): TroubleSettings {
  const { requestsPerSecond = 0, faults = {}, randomFaults = null } = options
  if (!Number.isSafeInteger(requestsPerSecond) || requestsPerSecond < 0) {
    throw new WrongControl(`requestsPerSecond: ${requestsPerSecond} is no whole number.`)
  }
  return { requestsPerSecond, faults, randomFaults }
}
