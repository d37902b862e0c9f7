/**
 * Faults on demand: a script per operation, which names the fault of its first, second, … call from
 * now on, and random faults for calls without a script. `faults/entry` says how a fault is written
 * and what each does.
 */
import { WrongControl } from "./control/wrong-control"
import { entryOf, parsedFault, type Fault, type FaultEntry } from "./faults/entry"
import { chanceOf, type Chance, type RandomFaults } from "./faults/random-faults"

export { FAULT_KINDS, isFaultEntry } from "./faults/entry"
export type { Fault, FaultEntry, FaultKind } from "./faults/entry"
export type { RandomFaults } from "./faults/random-faults"

/** One fault for one call: the `call`-th of the operation, 1 being the next. */
export type ScriptedFault = { operation: string; call: number; fault: FaultEntry }

/** A fault that happened. `call` counts the operation's calls since the simulator started. */
export type StruckFault = {
  operation: string
  call: number
  /** In full: `"500:after"`. */
  fault: string
  origin: "script" | "random"
}

export type Faults = {
  /**
   * Replaces the script of an operation: the n-th entry is for the n-th call from now on. `ok`
   * means no fault, not even a random one. Throws on an invalid entry.
   */
  script(operation: string, entries: readonly FaultEntry[]): void
  /** Sets the fault of one call of an operation, replacing any scripted one. */
  at(scripted: ScriptedFault): void
  /** Random faults for calls without a script, counted from now on; null ends them. */
  random(random: RandomFaults | null): void
  /** Ends every script and the random faults. */
  clear(): void
  /** The scripted faults of the next calls, in order; `ok` included. */
  scripted(): { operation: string; call: number; fault: string }[]
  /** The random faults that are set, or null. */
  randomized(): RandomFaults | null
  /** The faults that happened, newest last, at most the last 200. */
  history(): readonly StruckFault[]
  /** How many faults have happened since the start. */
  struck(): number
  /** The fault of the next call, or null for none; consumes it. */
  next(operation: string): Fault | null
}

const HISTORY_LENGTH = 200

class UnknownOperation extends WrongControl {
  constructor(operation: string) {
    super(`There is no operation ${operation}.`)
  }
}

export function createFaults(operations: readonly string[]): Faults {
  /** Per operation the faults of its calls, by call number since the start. */
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
