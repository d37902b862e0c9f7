/**
 * Random faults that can be repeated: whether and how the n-th call of an operation fails follows
 * from the seed, the operation and n alone, not from other calls.
 */
import { createHash } from "node:crypto"

import { WrongControl } from "../control/wrong-control"
import { FAULT_KINDS, isFaultEntry, parsedFault } from "./entry"
import type { Fault, FaultEntry, FaultKind } from "./entry"

export type RandomFaults = {
  /** Any text; the same seed gives the same faults. */
  seed: string
  /** Share of the calls that fail, from 0 to 1. */
  rate: number
  /** The faults that may happen. Default: every kind but `refuse` and `twice`, before and after. */
  kinds?: readonly FaultEntry[]
  /** The operations that it may happen to. Default: all. */
  operations?: readonly string[]
}

/**
 * Without `refuse`, which would also hit every other call of the process, and `twice`, which no
 * true answer shows.
 */
const ALONE: readonly FaultKind[] = ["refuse", "twice"]
const ANYTHING: readonly FaultEntry[] = FAULT_KINDS.filter((kind) => !ALONE.includes(kind)).flatMap(
  (kind) => [`${kind}:before` as const, `${kind}:after` as const],
)
const DRAW_DIGITS = 12

/** The fault of the n-th call of an operation, counted from 1, or null. */
export type Chance = (operation: string, call: number) => Fault | null

/** Throws `WrongControl` for an invalid rate, an unknown kind and an empty list. */
export function chanceOf({ seed, rate, kinds = ANYTHING, operations }: RandomFaults): Chance {
  if (!(rate >= 0 && rate <= 1)) throw new WrongControl(`${rate} is no rate from 0 to 1.`)
  const wrong = kinds.find((kind) => !isFaultEntry(kind) || kind === "ok")
  if (wrong !== undefined) throw new WrongControl(`${wrong} is not a fault.`)
  if (kinds.length === 0) throw new WrongControl("There is no kind of fault to choose from.")
  const faults = kinds.flatMap((kind) => parsedFault(kind) ?? [])
  return (operation, call) => {
    if (operations && !operations.includes(operation)) return null
    if (drawn(`${seed}:${operation}:${call}:whether`) >= rate) return null
    const index = Math.floor(drawn(`${seed}:${operation}:${call}:which`) * faults.length)
    return faults[index] ?? null
  }
}

/** At least 0 and below 1. */
const drawn = (text: string): number =>
  parseInt(createHash("sha256").update(text).digest("hex").slice(0, DRAW_DIGITS), 16) /
  16 ** DRAW_DIGITS
