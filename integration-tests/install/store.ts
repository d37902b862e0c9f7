/** The built store in production, from `.medusa/server`, behind TLS. */
import fs from "node:fs"
import path from "node:path"
import { howItEnded, startService } from "../../demo/run/child.cjs"
import { freePort } from "../http/support/store-process"
import { until } from "../support/until"
import { startProxy } from "./tls"

/** A bound, not an expectation. */
const BOOTS_WITHIN_MS = 10 * 60_000
const LAST_WORDS = 3_000

export type Store = {
  /** Of the store's own port, as a worker beside it would call. */
  readonly innerUrl: string
  /** As a browser reaches it. */
  readonly url: string
  log(): string
  stop(): Promise<void>
}

export type Place = {
  /** Holds `.medusa/server`. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** @throws with the last words of a store that ends or never answers `/health` */
export async function startStore({ folder, env, signal }: Place): Promise<Store> {
  const port = await freePort()
  const proxy = await startProxy(port)
  const cwd = path.join(folder, ".medusa/server")
  const logFile = path.join(folder, "store.log")
  fs.rmSync(logFile, { force: true })
  const log = () => (fs.existsSync(logFile) ? fs.readFileSync(logFile, "utf8") : "")
  const service = startService({
    argv: [path.join(cwd, "node_modules/@medusajs/cli/cli.js"), "start"],
    cwd,
    logFile,
    env: {
      ...{ PATH: process.env["PATH"], HOME: process.env["HOME"], MEDUSA_DISABLE_TELEMETRY: "true" },
      ...{ ...env, NODE_ENV: "production", PORT: String(port) },
      ...{ MERCHANT_PAYMENTS_PUBLIC_URL: proxy.url, ADMIN_CORS: proxy.url, AUTH_CORS: proxy.url },
    },
  })
  const stop = async () => {
    await service.stop()
    await proxy.stop()
  }
  let ended: string | undefined
  void service.exited.then((exit) => (ended = howItEnded(exit)))
  const innerUrl = `http://localhost:${port}`
  try {
    const answers = async () => {
      signal.throwIfAborted()
      if (ended !== undefined) throw new Error(`The store ended with ${ended}.`)
      return (await fetch(`${innerUrl}/health`).catch(() => undefined))?.status === 200
    }
    await until(answers, "the store answers /health", BOOTS_WITHIN_MS)
  } catch (error) {
    await stop()
    throw new Error(`${String(error)}\n${log().slice(-LAST_WORDS)}`)
  }
  return { innerUrl, url: proxy.url, log, stop }
}
