/**
 * Faults on demand: a script per operation, one entry consumed by each call, `ok` once it is used
 * up.
 *
 * An entry is a kind, or a kind and a moment: `500` and `reset` strike before anything was done,
 * `500:after` and `reset:after` when the call was carried out in the book and only its answer is
 * lost.
 */
import { WrongControl } from "./control/wrong-control"

/**
 * - a status (`401` … `504`): that answer, with a body as the API writes it;
 * - `reset`: the connection is destroyed without an answer;
 * - `cut`: the answer stops in the middle of its body (always after);
 * - `hang`: no answer until the caller or the simulator closes the connection;
 * - `html`: 200 with a page, as a proxy would send;
 * - `shape`: 200 with JSON that lacks the required fields.
 */
export const FAULT_KINDS = [
  "400",
  "401",
  "403",
  "404",
  "408",
  "409",
  "422",
  "425",
  "429",
  "500",
  "502",
  "503",
  "504",
  "reset",
  "cut",
  "hang",
  "html",
  "shape",
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

/** `"ok"`, `"500"`, `"500:before"`, `"500:after"`, … */
export type FaultEntry = "ok" | FaultKind | `${FaultKind}:${"before" | "after"}`

export type Fault = { kind: FaultKind; isAfter: boolean }

export type Faults = {
  /** Replaces the script of an operation. Throws on an entry that is none. */
  script(operation: string, entries: readonly FaultEntry[]): void
  clear(): void
  /** The fault of the next call, or null for none; consumes it. */
  next(operation: string): Fault | null
}

export class UnknownOperation extends WrongControl {
  constructor(operation: string) {
    super(`There is no operation ${operation}.`)
  }
}

export function createFaults(operations: readonly string[]): Faults {
  const scripts = new Map<string, (Fault | null)[]>()
  return {
    script(operation, entries) {
      if (!operations.includes(operation)) throw new UnknownOperation(operation)
      scripts.set(operation, entries.map(parsedFault))
    },
    clear: () => scripts.clear(),
    next: (operation) => scripts.get(operation)?.shift() ?? null,
  }
}

/** Null for `ok`. Throws on an entry that is none. */
export function parsedFault(entry: string): Fault | null {
  if (!isFaultEntry(entry)) throw new Error(`${entry} is not a fault.`)
  const [name, moment] = entry.split(":")
  const kind = FAULT_KINDS.find((candidate) => candidate === name)
  return kind ? { kind, isAfter: moment === "after" || kind === "cut" } : null
}

/** Whether a text from outside is an entry of a script. */
export function isFaultEntry(entry: unknown): entry is FaultEntry {
  if (typeof entry !== "string") return false
  const [name, moment, ...rest] = entry.split(":")
  const isKind = FAULT_KINDS.some((kind) => kind === name)
  const isMoment = moment === undefined || moment === "before" || moment === "after"
  return entry === "ok" || (isKind && isMoment && rest.length === 0)
}
