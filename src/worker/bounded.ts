/**
 * A time limit for every call into Medusa: a workflow may run a store's own hook, or a service
 * without a time limit, and never end. A proxy sets it, so that a method added to a port has the
 * limit as well.
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"

/** Medusa has not answered a call in time. The call may still do its work. */
export class MedusaLate extends Error {
  override readonly name = "MedusaLate"

  /**
   * @param method the name of the port's method
   * @param ended resolves when the call ends after all, with a value or an error
   */
  constructor(
    readonly method: string,
    readonly ended: Promise<void>,
  ) {
    super(`Medusa has not answered ${method} within ${LIMITS.medusaCallMs / 1_000} seconds`)
  }
}

/** The same port; a call that takes longer than `LIMITS.medusaCallMs` throws {@link MedusaLate}. */
export function bounded<Port extends object>(port: Port, clock: Pick<Clock, "sleep">): Port {
  return aroundEach(port, (call, method) => {
    const answer = call()
    const ended = answer.then(
      () => undefined,
      () => undefined,
    )
    const error = () => new MedusaLate(method, ended)
    return within(clock, answer, { ms: LIMITS.medusaCallMs, error })
  })
}

/**
 * The same port for one check, which is over at the first late call. That call never returns and
 * never throws, so nothing after it runs, as after a crash at that line. No `catch` can mistake the
 * lateness for Medusa's refusal.
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
 * Waits for `awaited`, or throws the bound's error after its milliseconds. The work then goes on,
 * and its answer is dropped. A process that was frozen past the bound still takes an answer that
 * came meanwhile.
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
    // The answer came in time and ended the sleep.
    () => awaited,
  )
  try {
    return await Promise.race([awaited, late])
  } finally {
    isOver.abort()
  }
}
