/**
 * Runs the examples against a simulator of their own, one a test, and with a journal of their own.
 * Made for a file of tests: {@link runExamples} sets its hooks.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildAll, buildGateway } from "../../../demo/run/build.cjs"
import type { Simulator, SimulatorOptions } from "../../../packages/simulator/src"
import { startSimulator } from "../../../packages/simulator/src"
import { until } from "../../support/until"
import { copyExamples } from "./copied-examples"
import type { Copy, Ended, Program, Running } from "./copied-examples"

const ROOT = path.resolve(__dirname, "../../..")
export const PHONE = "231770000010"
export const SECRET = "canary-client-secret"
export const AMOUNT = "42.50"
const PASSCODE = "135791"
/** A bound, not an expectation. */
const CALLED_WITHIN_MS = 240_000
const LOOK_EVERY_MS = 20

/** The exit codes that the examples promise. */
export const DONE = 0
export const NOT_DONE = 1
export const NOT_KNOWN = 2
export const WRONG_USE = 64

type Env = Readonly<Record<string, string>>
/** Waits for a second. */
export const IMPATIENT: Env = { WAIT_SECONDS: "1" }

export type Examples = {
  /** Of this test. */
  readonly simulator: Simulator
  /** The file; not there before a program has run. */
  readonly journal: string
  /** Another simulator in the place of this test's. */
  readonly replay: (options: SimulatorOptions) => Promise<void>
  readonly start: (program: Program, args: readonly string[], env?: Env, from?: Copy) => Running
  readonly startCollecting: (env?: Env) => Running
  /** 42.50 USD, as the others. */
  readonly collect: (env?: Env) => Promise<Ended>
  readonly refund: (key: string, amount: string, ...rest: string[]) => Promise<Ended>
  readonly payOut: (env?: Env) => Promise<Ended>
  /** Waits until a running example has made this call. */
  readonly called: (operation: string) => Promise<unknown>
  /** Makes the journal look as if it had been written two minutes ago. */
  readonly letTwoMinutesPass: () => void
}

/** Sets the hooks of a file of tests. Payers and recipients approve at once. */
export function runExamples(): Examples {
  let copy: Copy
  let simulator: Simulator
  let journal: string
  let journals = 0

  async function play(options: SimulatorOptions): Promise<void> {
    const fixed = { port: 0, seed: "examples", clientSecret: SECRET, passcode: PASSCODE }
    simulator = await startSimulator({ ...fixed, isStrict: true, ...options })
    simulator.plan({ outcome: "approve" })
    simulator.plan({ operationType: "REFUND", outcome: "approve" })
    simulator.plan({ operationType: "PAYOUT", outcome: "approve" })
  }

  beforeAll(async () => {
    const logs = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-build-"))
    const signal = new AbortController().signal
    const context = { root: ROOT, logs, say: () => {}, signal }
    await buildAll({ ...context, hasStorefront: false })
    await buildGateway(context)
    fs.rmSync(logs, { recursive: true })
    copy = copyExamples("commonjs")
  })
  afterAll(() => copy.remove())
  beforeEach(async () => {
    journals += 1
    journal = path.join(copy.folder, `journal-${journals}.jsonl`)
    await play({})
  })
  afterEach(() => simulator.close())

  const start: Examples["start"] = (program, args, env = {}, from = copy) =>
    from.start(program, args, {
      // The simulator speaks http.
      NODE_ENV: "test",
      MERCHANT_PAYMENTS_BASE_URL: simulator.url,
      MERCHANT_PAYMENTS_CLIENT_ID: "simulator-client",
      MERCHANT_PAYMENTS_CLIENT_SECRET: SECRET,
      PAYOUT_PASSCODE: PASSCODE,
      PAYOUT_CLIENT_IP: "192.0.2.1",
      // Ample for what ends at all; a program that would wait for ever fails its test sooner.
      WAIT_SECONDS: "30",
      ...env,
    })
  const startCollecting = (env?: Env) => start("collect", [journal, PHONE, AMOUNT, "USD"], env)

  return {
    get simulator() {
      return simulator
    },
    get journal() {
      return journal
    },
    async replay(options) {
      await simulator.close()
      await play(options)
    },
    start,
    startCollecting,
    collect: (env) => startCollecting(env).ended,
    refund: (key, amount, ...rest) => start("refund", [journal, key, amount, ...rest]).ended,
    payOut: (env) => start("payout", [journal, "Ada Supplier", PHONE, AMOUNT, "USD"], env).ended,
    called: (operation) =>
      until(
        () => Promise.resolve((simulator.calls[operation] ?? 0) > 0),
        `${operation} is called`,
        CALLED_WITHIN_MS,
        LOOK_EVERY_MS,
      ),
    letTwoMinutesPass() {
      const earlier = (at: string) => new Date(Date.parse(at) - 120_000).toISOString()
      const text = fs.readFileSync(journal, "utf8")
      const changed = text.replace(/(?<="at":")[^"]+/g, earlier)
      if (changed === text) throw new Error("The journal has no times to change.")
      fs.writeFileSync(journal, changed)
    },
  }
}
