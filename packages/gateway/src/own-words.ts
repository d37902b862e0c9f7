/**
 * Replaces a merchant account's own words for states by the contract's words in every answer. A
 * word that a reader already knows keeps its meaning.
 */
import { bareWord, type StateWords } from "./terms/state-words"
import type { Call } from "./call"
import type { OperationName } from "./operations"
import type { Handing } from "./stream/list-body"

/** @param words called at each answer, because an admin may change the words */
export function inOwnWords(call: Call, words: () => StateWords | undefined): Call {
  return async (endpoint, request, options) => {
    const kind = kindOf(endpoint.operation)
    const now = () => kind && words()?.[kind]
    if (isHanding(request)) request.into.change = (batch) => translated(batch, now() ?? NONE)
    const outcome = await call(endpoint, request, options)
    const own = now()
    if (!own || own.size === 0 || outcome.kind !== "done") return outcome
    return { kind: "done", value: translated(outcome.value, own) }
  }
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Whether the request hands over the records of a list while it is read. */
function isHanding(request: unknown): request is { readonly into: Handing<unknown> } {
  return typeof request === "object" && request !== null && "into" in request
}

/** Tests whether a word is one of the account's own for the states that an operation answers. */
export const ownWordsOf =
  (words: () => StateWords | undefined) =>
  (operation: OperationName, word: string): boolean => {
    const kind = kindOf(operation)
    return kind !== undefined && words()?.[kind].has(bareWord(word)) === true
  }

/** Whether the `status` in an operation's answer is an execution's or a source's. */
function kindOf(operation: OperationName): keyof StateWords | undefined {
  if (operation === "status.source") return "source"
  if (/^(executions|status)\./.test(operation)) return "execution"
  return /^(orders|invoices|checkouts)\./.test(operation) ? "source" : undefined
}

function translated<Value>(value: Value, own: ReadonlyMap<string, string>): Value {
  if (Array.isArray(value)) return value.map((one: unknown) => translated(one, own)) as Value
  if (!hasStatus(value)) return value
  const status = own.get(bareWord(value.status))
  return status === undefined ? value : { ...value, status, statusSaid: value.status }
}

function hasStatus(value: unknown): value is { readonly status: string } {
  if (typeof value !== "object" || value === null || !("status" in value)) return false
  return typeof value.status === "string"
}
