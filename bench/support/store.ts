/**
 * A built store in a process of its own that can be asked for its CPU. It dies with the bench, also
 * when the bench is killed.
 */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { ADMIN, STOREFRONT, freePort } from "../../integration-tests/http/support/store-process"
import { plainEnvironment } from "../../demo/run/child.cjs"

const WATCH_PARENT = path.resolve(__dirname, "../../demo/run/watch-parent.cjs")
const PROBE = path.join(__dirname, "probe.cjs")
const READY_WITHIN_MS = 240_000
const LOG_LINES_SHOWN = 30

/** Of the process: CPU so far, and memory now. */
type Probe = {
  readonly cpuMs: number
  readonly rssBytes: number
  readonly heapBytes: number
}

export type Store = {
  readonly url: string
  readonly publishableKey: string
  /** Garbage is collected before when asked. */
  probe(options?: { readonly collected: boolean }): Promise<Probe>
  /** Of a {@link probe} alone. */
  cpuMs(options?: { readonly collected: boolean }): Promise<number>
  stop(): Promise<void>
}

export type StoreOptions = {
  /** The folder of a built store. */
  readonly directory: string
  readonly databaseUrl: string
  /** The database has this build's tables already. */
  readonly isUpToDate: boolean
  readonly env?: Readonly<Record<string, string>>
  /** More flags for Node. */
  readonly nodeFlags?: readonly string[]
}

type Message = Partial<Probe> & { isReady?: boolean; publishableKey?: string; probe?: string }

export async function startStore(options: StoreOptions): Promise<Store> {
  const { directory } = options
  const port = await freePort()
  const url = `http://localhost:${port}`
  const flags = ["--expose-gc", "--require", WATCH_PARENT, "--require", PROBE]
  const child = spawn(
    process.execPath,
    [...flags, ...(options.nodeFlags ?? []), path.join(directory, "serve.js")],
    {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...plainEnvironment(process.env),
        NODE_ENV: "demo",
        MEDUSA_DISABLE_TELEMETRY: "true",
        PORT: String(port),
        DATABASE_URL: options.databaseUrl,
        ...(options.isUpToDate ? { DEMO_IS_UP_TO_DATE: "1" } : {}),
        JWT_SECRET: "bench-jwt-secret",
        COOKIE_SECRET: "bench-cookie-secret",
        STORE_CORS: STOREFRONT,
        ADMIN_CORS: url,
        AUTH_CORS: `${STOREFRONT},${url}`,
        DEMO_ADMIN_EMAIL: ADMIN.email,
        DEMO_ADMIN_PASSWORD: ADMIN.password,
        MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: STOREFRONT,
        MERCHANT_PAYMENTS_PUBLIC_URL: url,
        ...options.env,
      },
    },
  )
  const log = lastLines(child)
  const ready = await message(child, (told) => told.isReady === true, log)
  const probe: Store["probe"] = async ({ collected } = { collected: false }) => {
    const name = collected ? "collect" : "cpu"
    const answer = message(child, (told) => told.probe === name, log)
    child.send({ probe: name })
    const { cpuMs = Number.NaN, rssBytes = Number.NaN, heapBytes = Number.NaN } = await answer
    return { cpuMs, rssBytes, heapBytes }
  }
  return {
    url,
    publishableKey: ready.publishableKey ?? "",
    probe,
    cpuMs: async (options) => (await probe(options)).cpuMs,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      await gone
    },
  }
}

/** The next message of a kind; an end of the store before it is a failure with its last words. */
function message(
  child: ChildProcess,
  isMeant: (message: Message) => boolean,
  log: () => string,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      child.off("message", take)
      child.off("exit", ended)
      act()
    }
    const take = (told: Message) => isMeant(told) && settle(() => resolve(told))
    const ended = () => settle(() => reject(new Error(`The store ended.\n${log()}`)))
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      settle(() => reject(new Error(`The store did not answer.\n${log()}`)))
    }, READY_WITHIN_MS)
    child.on("message", take)
    child.once("exit", ended)
  })
}

function lastLines(child: ChildProcess): () => string {
  let lines: string[] = []
  const take = (chunk: Buffer) => {
    lines = [...lines, ...chunk.toString().split("\n")].slice(-LOG_LINES_SHOWN)
  }
  child.stdout?.on("data", take)
  child.stderr?.on("data", take)
  return () => lines.join("\n")
}
