/**
 * A bound for every call into Medusa: a workflow may run a shop's own hook, or a service without a
 * time limit, and never end. By a proxy, so that a method which is added to a port has the bound as
 * well.
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"

/** Medusa has not answered a call in time. The call may still do its work. */
export class MedusaLate extends Error {
  override readonly name = "MedusaLate"

  /**
   * @param method of the port
   * @param ended resolves when the call ends after all, however it ends
   */
  constructor(
    readonly method: string,
    readonly ended: Promise<void>,
  ) {
    super(`Medusa has not answered ${method} within ${LIMITS.hostCallMs / 1_000} seconds`)
  }
}

/** The same port; each call that takes longer than the bound throws {@link MedusaLate}. */
export function bounded<Port extends object>(port: Port, clock: Pick<Clock, "sleep">): Port {
  return aroundEach(port, (call, method) => {
    const answer = call()
    const ended = answer.then(
      () => undefined,
      () => undefined,
    )
    const error = () => new MedusaLate(method, ended)
    return within(clock, answer, { ms: LIMITS.hostCallMs, error })
  })
}

/**
 * The same port for one check: at a late call the check is over. The call is never answered,
 * neither with an error, so nothing after it is done, as after a crash at that line; no `catch` can
 * take the lateness for Medusa's refusal.
 */
export function abandoning<Port extends object>(
  port: Port,
  onLate: (late: MedusaLate) => void,
): Port {
  return aroundEach(port, (call) =>
    call().catch((error: unknown) => {
      if (!(error instanceof MedusaLate)) throw error
      onLate(error)
      return new Promise<never>(() => {})
    }),
  )
}

type Around = (call: () => Promise<unknown>, method: string) => Promise<unknown>

function aroundEach<Port extends object>(port: Port, around: Around): Port {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== "function") return method
      const call = async (given: unknown[]): Promise<unknown> =>
        Reflect.apply(method, target, given)
      return (...given: unknown[]) => around(() => call(given), String(name))
    },
  })
}

/**
 * What is awaited, or the error of the bound. The work behind it goes on, and its answer is
 * dropped. A process that was frozen beyond the bound takes the answer that came meanwhile.
 */
export async function within<T>(
  clock: Pick<Clock, "sleep">,
  awaited: Promise<T>,
  bound: { readonly ms: number; readonly error: () => Error },
): Promise<T> {
  const isOver = new AbortController()
  const late = clock.sleep(bound.ms, isOver.signal).then(
    async () => {
      // After a freeze Node runs the timers first, and reads what has arrived second.
      await new Promise((resolve) => setImmediate(resolve))
      throw bound.error()
    },
    // Answered in time: the bound is over.
    () => awaited,
  )
  try {
    return await Promise.race([awaited, late])
  } finally {
    isOver.abort()
  }
}
