/**
 * The built gateway simulator in a process of its own, driven over its `/_simulator` routes, so
 * that none of its work is charged to the store or to the bench.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { z } from "zod"
import { plainEnvironment } from "../../demo/run/child.cjs"

const BIN = "packages/simulator/bin/merchant-payments-simulator.cjs"
const CREDENTIALS = { clientId: "bench-client", clientSecret: "bench-secret" }
const READY = /ready at (http\S+)/

const Calls = z.record(z.string(), z.number())
const Book = z.object({
  executions: z.array(z.object({ reference: z.string(), completedAtMs: z.number().nullable() })),
  refunds: z.array(z.object({ reference: z.string(), createdAtMs: z.number() })),
})

type Plan = {
  /** Digits; every phone when absent. */
  readonly phone?: string
  readonly outcome: "approve" | "decline"
  readonly afterMs: number
  /** Every kind when absent. */
  readonly operationType?: "COLLECTION" | "REFUND"
}

export type Simulator = {
  /** The environment of a store that uses it. */
  readonly gateway: Readonly<Record<string, string>>
  /** Calls per operation since the last reset. */
  calls(): Promise<Readonly<Record<string, number>>>
  resetCalls(): Promise<void>
  plan(plan: Plan): Promise<void>
  /** When the gateway completed each reference, in milliseconds since the epoch. */
  completions(): Promise<ReadonlyMap<string, number>>
  /** When the gateway accepted each refund, by its reference, in milliseconds since the epoch. */
  refunds(): Promise<ReadonlyMap<string, number>>
  stop(): Promise<void>
}

/** @param options.latencyMs how long every answer of the API is held back */
export async function startSimulator(
  root: string,
  options: { readonly latencyMs: number },
): Promise<Simulator> {
  const { clientId, clientSecret } = CREDENTIALS
  const flags = {
    port: 0,
    seed: "bench",
    latency: options.latencyMs,
    "client-id": clientId,
    "client-secret": clientSecret,
  }
  const child = spawn(
    process.execPath,
    [
      "--require",
      path.join(root, "demo/run/watch-parent.cjs"),
      path.join(root, BIN),
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: plainEnvironment(process.env),
    },
  )
  const exited = once(child, "exit")
  const url = await Promise.race([
    addressIn(child.stdout),
    exited.then(() => Promise.reject(new Error("The simulator ended."))),
  ])
  const call = async (method: string, place: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/_simulator/${place}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`The simulator answered ${response.status} to ${place}.`)
    return response.json()
  }
  return {
    gateway: {
      MERCHANT_PAYMENTS_BASE_URL: url,
      MERCHANT_PAYMENTS_CLIENT_ID: clientId,
      MERCHANT_PAYMENTS_CLIENT_SECRET: clientSecret,
    },
    calls: async () => Calls.parse(await call("GET", "calls")),
    resetCalls: async () => void (await call("POST", "reset-calls")),
    plan: async (plan) => void (await call("POST", "plans", plan)),
    async completions() {
      const { executions } = Book.parse(await call("GET", "book"))
      return new Map(
        executions.flatMap(({ reference, completedAtMs }) =>
          completedAtMs === null ? [] : [[reference, completedAtMs] as const],
        ),
      )
    },
    async refunds() {
      const { refunds } = Book.parse(await call("GET", "book"))
      return new Map(refunds.map(({ reference, createdAtMs }) => [reference, createdAtMs] as const))
    },
    async stop() {
      child.kill("SIGTERM")
      await exited
    },
  }
}

async function addressIn(output: Readable | null): Promise<string> {
  for await (const line of output ? createInterface({ input: output }) : []) {
    const address = READY.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error("The simulator did not say where it is.")
}
