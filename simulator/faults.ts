/**
 * Faults on demand: a script per operation, which says what happens to its first, second, … call
 * from now on, and chance for the calls that no script speaks of. `faults/entry` says how a fault
 * is written and what each does.
 */
import { WrongControl } from "./control/wrong-control"
import { entryOf, parsedFault, type Fault, type FaultEntry } from "./faults/entry"
import { chanceOf, type Chance, type RandomFaults } from "./faults/random-faults"

export { FAULT_KINDS, isFaultEntry, parsedFault } from "./faults/entry"
export type { Fault, FaultEntry, FaultKind } from "./faults/entry"
export type { RandomFaults } from "./faults/random-faults"

/** One fault for one call: the `call`-th of the operation, 1 being the next. */
export type ScriptedFault = { operation: string; call: number; fault: FaultEntry }

/** A fault that struck. `call` counts the operation's calls since the simulator was started. */
export type StruckFault = {
  operation: string
  call: number
  /** In full: `"500:after"`. */
  fault: string
  origin: "script" | "random"
}

export type Faults = {
  /**
   * Replaces the script of an operation: the n-th entry is for the n-th call from now on, `ok` for
   * one without a fault, not by chance either. Throws on an entry that is none.
   */
  script(operation: string, entries: readonly FaultEntry[]): void
  /** Adds one fault to the script of an operation, in the place of what stood there. */
  at(scripted: ScriptedFault): void
  /** Faults by chance for calls that no script speaks of, counted from now on; null ends them. */
  random(random: RandomFaults | null): void
  /** Ends every script, and the faults by chance. */
  clear(): void
  /** What the next calls meet, in the order of the calls; `ok` included. */
  scripted(): { operation: string; call: number; fault: string }[]
  /** The faults by chance that were asked for, or null. */
  randomized(): RandomFaults | null
  /** The faults that struck, newest last, at most the last 200. */
  history(): readonly StruckFault[]
  /** How many have struck since the start. */
  struck(): number
  /** The fault of the next call, or null for none; consumes it. */
  next(operation: string): Fault | null
}

const HISTORY_LENGTH = 200

export class UnknownOperation extends WrongControl {
  constructor(operation: string) {
    super(`There is no operation ${operation}.`)
  }
}

export function createFaults(operations: readonly string[]): Faults {
  /** Per operation what happens to its calls, by their number since the start. */
  const scripts = new Map<string, Map<number, Fault | null>>()
  const callsSoFar = new Map<string, number>()
  const history: StruckFault[] = []
  let struck = 0
  let chance: { random: RandomFaults; draw: Chance; since: Map<string, number> } | null = null

  const requireOperation = (operation: string) => {
    if (!operations.includes(operation)) throw new UnknownOperation(operation)
  }
  const callsOf = (operation: string) => callsSoFar.get(operation) ?? 0
  const drawn = (operation: string, call: number) =>
    chance?.draw(operation, call - (chance.since.get(operation) ?? 0)) ?? null

  return {
    script(operation, entries) {
      requireOperation(operation)
      const first = callsOf(operation) + 1
      const faults = entries.map(parsedFault)
      scripts.set(operation, new Map(faults.map((fault, index) => [first + index, fault] as const)))
    },
    at({ operation, call, fault }) {
      requireOperation(operation)
      if (!Number.isInteger(call) || call < 1) throw new WrongControl(`${call} is no call number.`)
      const script = scripts.get(operation) ?? new Map<number, Fault | null>()
      scripts.set(operation, script.set(callsOf(operation) + call, parsedFault(fault)))
    },
    random(random) {
      random?.operations?.forEach(requireOperation)
      chance = random && { random, draw: chanceOf(random), since: new Map(callsSoFar) }
    },
    clear() {
      scripts.clear()
      chance = null
    },
    scripted: () =>
      [...scripts].flatMap(([operation, script]) =>
        [...script]
          .sort(([left], [right]) => left - right)
          .map(([number, fault]) => ({
            operation,
            call: number - callsOf(operation),
            fault: fault === null ? "ok" : entryOf(fault),
          })),
      ),
    randomized: () => chance?.random ?? null,
    history: () => history,
    struck: () => struck,
    next(operation) {
      const call = callsOf(operation) + 1
      callsSoFar.set(operation, call)
      const script = scripts.get(operation)
      const isScripted = script?.has(call) ?? false
      const fault = isScripted ? (script?.get(call) ?? null) : drawn(operation, call)
      script?.delete(call)
      if (fault === null) return null
      const origin = isScripted ? "script" : "random"
      struck += 1
      history.push({ operation, call, fault: entryOf(fault), origin })
      history.splice(0, history.length - HISTORY_LENGTH)
      return fault
    },
  }
}
