/**
 * Moments of a process: right before and right after each of its exits. A call is named by itself,
 * and once it is over by how it came out, where that says something:
 * `executions.collection=PROCESSING`. A write to the ledger is named by the call that it follows:
 * `status.source=PAID+2` is the second write after that call; before any call, by what the process
 * was asked for: `check+1`, or `begin+1` where nobody said. What comes again is counted:
 * `status.collection#2`.
 *
 * Reading the ledger changes nothing and is no moment: whoever dies there has died after the exit
 * before.
 */
import { portsAround, type Around, type Exit } from "./ports-around"

export type Moment = `${"before" | "after"} ${string}`

/** An exit that is over, by its name and without its count. */
export type Passed = { readonly exit: string; readonly kind: Exit["kind"] }

export type Watch = {
  /** Runs in the very moment; what it returns is waited for. */
  at?(moment: Moment): unknown
  passed?(passed: Passed): void
}

export type Watched = {
  /** For {@link portsAround}: names the exits, and tells of each. */
  readonly around: Around
  /** The process is asked for something. */
  begin(act: string): void
}

export function watching({ at, passed }: Watch): Watched {
  let last = "begin"
  let writes = 0
  const times = new Map<string, number>()
  const meet = async (side: "before" | "after", name: string) => {
    const nth = (times.get(`${side} ${name}`) ?? 0) + 1
    times.set(`${side} ${name}`, nth)
    await at?.(`${side} ${nth === 1 ? name : `${name}#${nth}`}`)
  }
  const around: Around = async ({ name, kind }, act) => {
    if (kind === "ledger reads") return act()
    const isCall = kind === "calls"
    writes = isCall ? 0 : writes + 1
    if (isCall) last = name
    const begun = isCall ? name : `${last}+${writes}`
    await meet("before", begun)
    let over = `${begun}=threw`
    try {
      const answer = await act()
      over = isCall ? `${begun}${outcomeOf(answer)}` : begun
      return answer
    } finally {
      // Of calls side by side the one that began last names the writes after them.
      if (last === begun) last = over
      passed?.({ exit: over, kind })
      await meet("after", over)
    }
  }
  return {
    around,
    begin(act) {
      last = act
      writes = 0
    },
  }
}

function outcomeOf(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return ""
  if ("kind" in answer && answer.kind !== "done") return `=${String(answer.kind)}`
  const value: unknown = "value" in answer ? answer.value : answer
  if (typeof value !== "object" || value === null || !("status" in value)) return ""
  return `=${String(value.status)}`
}

type Deps = Parameters<typeof portsAround>[0]

/** The same flows; `act` runs once, at that moment. */
export function atMoment<Given extends Deps>(
  deps: Given,
  moment: Moment,
  act: () => unknown,
  passed = new Set<Moment>(),
): Given {
  const at = (met: Moment) => {
    if (passed.has(met)) return undefined
    passed.add(met)
    return met === moment ? act() : undefined
  }
  return portsAround(deps, watching({ at }).around)
}

/**
 * Lets a flow run in a process that ends at that moment: whatever it would still do, its `catch`
 * and `finally` included, is never done.
 *
 * @throws when the flow comes to its end alive: it never passed the moment
 */
export async function dieAt<Given extends Deps>(
  deps: Given,
  moment: Moment,
  flow: (deps: Given) => Promise<unknown>,
): Promise<void> {
  let report: () => void = () => {}
  const death = new Promise<"died">((resolve) => (report = () => resolve("died")))
  const passed = new Set<Moment>()
  const die = () => {
    report()
    return new Promise<never>(() => {})
  }
  const dying = atMoment(deps, moment, die, passed)
  const told = await Promise.race([death, flow(dying).then(() => "lived", String)])
  if (told !== "died") throw new Error(`it ${told}; the moments were ${[...passed].join(", ")}`)
}

/** @returns the end of each exit that the flow passes, once; the flow is really carried out */
export async function momentsOf<Given extends Deps>(
  deps: Given,
  flow: (deps: Given) => Promise<unknown>,
): Promise<Moment[]> {
  const passed = new Set<Moment>()
  const { around } = watching({ passed: ({ exit }) => passed.add(`after ${exit}`) })
  await flow(portsAround(deps, around))
  return [...passed]
}
