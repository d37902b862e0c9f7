/** For tests: the kit on a page whose time the test drives, while a store answers over real HTTP. */
import { createCheckout, type Checkout } from "../checkout.js"
import type { Payment, PaymentView } from "../payment.js"
import { scriptedStore, type ScriptedStore } from "./scripted-store.js"

/** Store and page run in one process: an answer is there after some turns of its loop. */
const TURNS = 100

export type DrivenPage = {
  readonly store: ScriptedStore
  readonly checkout: Checkout
  /** The page is shown again, or the line is back. */
  shown(): void
  /** Follows a payment until the page is left. @returns its view now */
  follow(payment: Payment): () => PaymentView
  /** Until what was asked is answered, as far as it is. */
  settle(): Promise<void>
  /** Lets time pass until it is so. @returns the seconds that passed */
  until(isSo: () => boolean, mostSeconds: number): Promise<number>
  leave(): Promise<void>
}

export async function drivenPage(): Promise<DrivenPage> {
  const store = await scriptedStore()
  const listeners = new Set<() => void>()
  const stops: (() => void)[] = []
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] })
  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((done) => setImmediate(done))
  }
  const onShown = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    store,
    checkout: createCheckout({
      baseUrl: store.url,
      storage: null,
      around: { isHidden: () => false, onShown, now: () => performance.now() },
    }),
    shown: () => listeners.forEach((listener) => listener()),
    follow(payment) {
      stops.push(payment.subscribe(() => undefined))
      return payment.getView
    },
    settle,
    async until(isSo, mostSeconds) {
      for (let tenths = 0; ; tenths += 1) {
        await settle()
        if (isSo()) return tenths / 10
        if (tenths >= mostSeconds * 10) throw new Error(`not so after ${mostSeconds} s`)
        jest.advanceTimersByTime(100)
      }
    },
    async leave() {
      for (const stop of stops) stop()
      jest.useRealTimers()
      await store.close()
    },
  }
}
