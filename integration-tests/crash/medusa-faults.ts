/**
 * Medusa as a peer with faults: one call of a journey throws, before or after it has done its work,
 * never answers or takes half a minute, does half, or answers what was so before. The same for
 * every call of the port: what can strike which one follows from `MEDUSA_CALLS` and from what the
 * journey asks.
 */
import { SECOND } from "../support/an-operation"
import type { Cart } from "../support/medusa-in-memory"
import { MEDUSA_CALLS, type Medusa, type MedusaCall } from "./medusa-calls"

export const MEDUSA_FAULTS = {
  "throws before": "M08",
  "throws after": "M09",
  hangs: "M10",
  "takes 30 s": "M11",
  "does half": "M12",
  "answers an older state": "M13",
} as const

type MedusaFault = keyof typeof MEDUSA_FAULTS

/** The `nth` call of this kind that the journey makes, counted from 1. */
export type MedusaCallFault = {
  readonly call: MedusaCall
  readonly fault: MedusaFault
  readonly nth: number
}

const OWN = "Medusa's own failure"
/** In the message of every error that is Medusa's, and no flow's. */
export const IN_MEDUSA = /Medusa's own failure|Medusa has not answered/

const SLOW_MS = 30 * SECOND
/** The bound of a call, and a little. */
const PAST_BOUND_MS = 61 * SECOND

/** One call, as the journey made it. */
export type Asked = { readonly call: MedusaCall; readonly given: string; readonly answer: string }

type Scene = {
  /** So much of everybody's time passes, and the other workers look. */
  pass(ms: number): Promise<unknown>
}

export type MedusaFaultAtWork = {
  begin(scene: Scene): void
  /** Around Medusa as it is; every call of the journey goes through it. */
  around(medusa: Medusa, cart: Cart): Medusa
  /**
   * A worker has looked at all that was due. What hung is answered after all. @returns if it did
   */
  checkIsOver(): boolean
  /** Whether the journey came to the call. */
  hasStruck(): boolean
  /** All calls until now. */
  readonly asked: readonly Asked[]
}

/** @param fault null: nothing goes wrong, and what the journey asks is written down */
export function medusaFaultAtWork(fault: MedusaCallFault | null): MedusaFaultAtWork {
  const asked: Asked[] = []
  const older = new Map<string, unknown>()
  let scene: Scene | undefined
  let calls = 0
  let isStruck = false
  let answerLate: (() => void) | undefined

  const strike = async (medusa: Medusa, cart: Cart, given: unknown[]): Promise<unknown> => {
    if (!fault) throw new Error("nothing was to go wrong")
    const act = () => ask(medusa, fault.call, given)
    const kind = MEDUSA_CALLS[fault.call]
    switch (fault.fault) {
      case "throws before":
        throw new Error(`${OWN}: it did nothing`)
      case "throws after":
        await act()
        throw new Error(`${OWN}: it was done`)
      case "does half":
        if (kind.kind === "writes") await kind.half?.(medusa, cart, given)
        throw new Error(`${OWN}: half was done`)
      case "takes 30 s": {
        const answer = await act()
        await scene?.pass(SLOW_MS)
        return answer
      }
      case "hangs":
        await scene?.pass(PAST_BOUND_MS)
        await new Promise<void>((resolve) => (answerLate = resolve))
        return act()
      case "answers an older state":
        return older.get(keyOf(fault.call, given)) ?? act()
    }
  }

  return {
    asked,
    begin: (its) => void (scene = its),
    hasStruck: () => isStruck,
    checkIsOver() {
      // Before its lease is over: it is kept as time goes by, and here time leaps.
      const isLate = answerLate !== undefined
      answerLate?.()
      answerLate = undefined
      return isLate
    },
    around: (medusa, cart) =>
      new Proxy(medusa, {
        get: (target, call: MedusaCall) => {
          if (!Object.hasOwn(MEDUSA_CALLS, call)) return Reflect.get(target, call) as unknown
          return async (...given: unknown[]): Promise<unknown> => {
            if (call === fault?.call) calls += 1
            if (call === fault?.call && calls === fault.nth) {
              isStruck = true
              return strike(medusa, cart, given)
            }
            const answer = await ask(medusa, call, given)
            const kept = structuredClone(answer)
            asked.push({ call, given: keyOf(call, given), answer: textOf(kept) })
            older.set(keyOf(call, given), kept)
            return answer
          }
        },
      }),
  }
}

/**
 * What of a journey's calls each fault can strike, from one telling of it in which nothing went
 * wrong.
 */
export function faultsIn(asked: readonly Asked[]): MedusaCallFault[] {
  return [...new Set(asked.map(({ call }) => call))].flatMap((call) => {
    const calls = asked.filter((one) => one.call === call)
    return faultsOf(call, calls).flatMap(([fault, places]) =>
      [...new Set(places)].map((nth): MedusaCallFault => ({ call, fault, nth })),
    )
  })
}

type At = readonly [fault: MedusaFault, places: readonly number[]]

function faultsOf(call: MedusaCall, calls: readonly Asked[]): readonly At[] {
  const kind = MEDUSA_CALLS[call]
  const ends = [1, calls.length]
  const anyway: readonly At[] = [
    ["throws before", ends],
    ["hangs", ends],
    ["takes 30 s", ends],
  ]
  if (kind.kind === "reads") return [...anyway, ["answers an older state", changesIn(calls)]]
  return [...anyway, ["throws after", ends], ["does half", kind.half ? [1] : []]]
}

/** The first call that is answered otherwise than the same question was before. */
function changesIn(calls: readonly Asked[]): number[] {
  const answers = new Map<string, string>()
  for (const [index, { given, answer }] of calls.entries()) {
    const before = answers.get(given)
    if (before !== undefined && before !== answer) return [index + 1]
    answers.set(given, answer)
  }
  return []
}

async function ask(medusa: Medusa, call: MedusaCall, given: unknown[]): Promise<unknown> {
  return Reflect.apply(medusa[call] as (...all: unknown[]) => unknown, medusa, given)
}

const keyOf = (call: MedusaCall, given: readonly unknown[]) => `${call} ${textOf(given)}`

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    typeof one === "bigint" ? String(one) : one instanceof Set ? [...one] : one,
  ) ?? ""
