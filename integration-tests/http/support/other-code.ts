/**
 * What other code of the shop does inside the store's process, where no route and no guard sees it.
 */
import path from "node:path"
import type { Harness } from "./harness"

/** For the store's environment: loads {@link callModule}'s other half before the store itself. */
export const WITH_OTHER_CODE = {
  NODE_OPTIONS: `--require ${path.join(__dirname, "inside-the-store.cjs")}`,
}

type Answer = { readonly answers?: number; readonly result?: string; readonly error?: string }

let calls = 0

/** @throws with the sentence that the module threw inside the store */
export function callModule(
  harness: Harness,
  module: "cart" | "order" | "payment",
  method: string,
  ...args: unknown[]
): Promise<unknown> {
  return tell(harness, { module, method, args })
}

/** Asks `query.graph` as code of the shop does. */
export async function graph<T = Readonly<Record<string, unknown>>>(
  harness: Harness,
  asked: Readonly<Record<string, unknown>>,
): Promise<{ readonly data: T[]; readonly metadata?: { readonly count: number } }> {
  const answer = await tell(harness, { module: "query", method: "graph", args: [asked] })
  return answer as { data: T[] }
}

/** Calls `findPayments` of the package in the store, with the store's container. */
export async function findPayments(harness: Harness, ...args: unknown[]): Promise<unknown> {
  return tell(harness, { finds: "findPayments", args })
}

export function runWorkflow(harness: Harness, workflow: string, input: unknown): Promise<unknown> {
  return tell(harness, { workflow, args: [input] })
}

/**
 * From now on Medusa's workflow does not go on for this input, until what is returned is called.
 */
export async function holdWorkflow(
  harness: Harness,
  workflow: string,
  inputId: string,
): Promise<() => Promise<unknown>> {
  await tell(harness, { holds: workflow, args: [inputId] })
  return () => tell(harness, { letsGo: true, args: [] })
}

/** Registers a handler of the shop's own for the hook `validate` of an exported workflow. */
export async function validateIn(
  harness: Harness,
  workflow: "completeCartWorkflow" | "cartReadyWorkflow",
): Promise<void> {
  await tell(harness, { validates: workflow, args: [] })
}

/** Registers a handler of the shop's own for its captcha, which asks the service at this address. */
export async function verifyCaptchaAt(harness: Harness, url: string): Promise<void> {
  await tell(harness, { verifies: url, args: [] })
}

/** From now on the shop's handlers throw this sentence for the cart. */
export async function refuseCart(harness: Harness, cartId: string, says: string): Promise<void> {
  await tell(harness, { refuses: cartId, args: [says] })
}

export type Heard = { readonly name: string; readonly data: Readonly<Record<string, unknown>> }

/** A subscriber of the shop's own: what it hears from now on, until the store is restarted. */
export async function subscribe(
  harness: Harness,
  names: readonly string[],
): Promise<readonly Heard[]> {
  const heard: Heard[] = []
  harness.store.process.on("message", (message: { readonly heard?: Heard }) => {
    if (message.heard) heard.push(message.heard)
  })
  for (const hears of names) await tell(harness, { hears, args: [] })
  return heard
}

function tell(harness: Harness, told: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { process: store } = harness.store
  const call = ++calls
  return new Promise((resolve, reject) => {
    const gone = () => settle(() => reject(new Error("the store ended before it answered")))
    const answered = (answer: Answer) => {
      if (answer.answers !== call) return
      settle(() =>
        answer.error === undefined
          ? resolve(answer.result === undefined ? undefined : JSON.parse(answer.result))
          : reject(new Error(answer.error)),
      )
    }
    const settle = (end: () => void) => {
      store.off("message", answered).off("exit", gone)
      end()
    }
    store.on("message", answered).once("exit", gone)
    store.send({ call, ...told })
  })
}
