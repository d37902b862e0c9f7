/**
 * A whole demo of its own, started the way a person starts it, in a temporary folder and on its own
 * ports, so that it can run beside another one.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { readState, type State } from "../../../demo/run/state.cjs"
import { until } from "./until"

const ROOT = resolve(__dirname, "../../..")

/** A first start builds plugin, admin and storefront and seeds a database. */
const DEMO_START_MS = 900_000
const DEMO_STOP_MS = 120_000
/** Would lead the demo to another database or gateway, or, as jest's "test", to another mode. */
const NOT_INHERITED = [
  "NODE_ENV",
  "DATABASE_URL",
  "DEMO_NO_STOREFRONT",
  "DEMO_FEE_BEARER",
  "DEMO_WITHOUT",
  "MERCHANT_PAYMENTS_BASE_URL",
  "MERCHANT_PAYMENTS_TIME_ZONE",
  "MERCHANT_PAYMENTS_CLIENT_ID",
  "MERCHANT_PAYMENTS_CLIENT_SECRET",
]
/** What a failure shows of the demo's own words. */
const OUTPUT_CHARACTERS_MAX = 6_000

/** Of a whole one: nothing is left out, and the gateway is the simulator. */
export type DemoState = State & { storefront_url: string; simulator_url: string }

export type Demo = {
  state: DemoState
  stop(): Promise<void>
  /**
   * The same data, with other settings. This demo has ended then; the one that is answered has not.
   */
  restartWith(changes: Partial<DemoOptions> & { readonly encryptionKey?: string }): Promise<Demo>
  /** Kills the store as a crash would. The demo starts it again. */
  killStore(): Promise<void>
}

export type DemoOptions = {
  portBase: number
  orderPlacement: "pay_first" | "order_first"
  /** What the environment does not say, so that it is typed in the admin. */
  without?: "credentials" | "credentials,key"
}

let isShared = false
let shared: Promise<Demo> | undefined

/** Registers the hook of one demo for all suites of this file; the first that starts it says how. */
export function shareDemo(): void {
  isShared = true
  afterAll(async () => (await shared)?.stop())
}

export async function startDemo(options: DemoOptions): Promise<Demo> {
  if (!isShared) return startInNewFolder(options)
  shared ??= startInNewFolder(options)
  return lent(await shared)
}

/** To a suite, which does not end it. */
function lent(demo: Demo): Demo {
  return {
    ...demo,
    stop: () => Promise.resolve(),
    async restartWith(changes) {
      shared = demo.restartWith(changes)
      return lent(await shared)
    },
  }
}

async function startInNewFolder(options: DemoOptions): Promise<Demo> {
  return startIn(await mkdtemp(join(tmpdir(), "demo-")), options)
}

async function startIn(folder: string, options: DemoOptions): Promise<Demo> {
  const env = {
    ...process.env,
    // The demo is to run as it does for a person, whatever this test was given.
    ...Object.fromEntries(NOT_INHERITED.map((name) => [name, undefined])),
    PORT_BASE: String(options.portBase),
    DEMO_DIR: folder,
    DEMO_ORDER_PLACEMENT: options.orderPlacement,
    ...(options.without ? { DEMO_WITHOUT: options.without } : {}),
    MEDUSA_DISABLE_TELEMETRY: "true",
  }
  const child = spawn(process.execPath, ["demo/start.mjs"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env,
  })
  let output = ""
  const hear = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX)
  }
  child.stdout.on("data", hear)
  child.stderr.on("data", hear)
  const exited = once(child, "exit")

  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGINT")
      const timer = setTimeout(() => child.kill("SIGKILL"), DEMO_STOP_MS)
      await exited
      clearTimeout(timer)
    }
  }
  const stop = async () => {
    await end()
    await promisify(execFile)(process.execPath, ["demo/reset.mjs"], { cwd: ROOT, env })
  }

  try {
    const check = async () => {
      if (child.exitCode !== null) throw new Error("the demo ended instead of starting")
      return readState(folder) as DemoState | null
    }
    const state = await until("the demo is up", check, DEMO_START_MS)
    const restartWith: Demo["restartWith"] = async ({ encryptionKey, ...changes }) => {
      await end()
      if (encryptionKey) await keepKey(folder, encryptionKey)
      return startIn(folder, { ...options, ...changes })
    }
    return { state, stop, restartWith, killStore: () => killStoreOf(child.pid) }
  } catch (error) {
    await stop()
    throw new Error(`The demo did not start:\n${output}`, { cause: error })
  }
}

async function killStoreOf(demo: number | undefined): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,command="])
  const [store] = stdout.split("\n").flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s.*serve\.js/.exec(line) ?? []
    return Number(parent) === demo ? [Number(pid)] : []
  })
  if (store === undefined) throw new Error("the demo has no store to kill")
  process.kill(store, "SIGKILL")
}

/** In the place of the one that the demo made for itself. */
async function keepKey(folder: string, encryptionKey: string): Promise<void> {
  const file = join(folder, "secrets.json")
  const secrets = JSON.parse(await readFile(file, "utf8")) as Record<string, string>
  await writeFile(file, JSON.stringify({ ...secrets, encryptionKey }))
}
