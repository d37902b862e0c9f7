/**
 * The demo store, as built, in a process of its own: what a customer runs, and what can be killed.
 */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import net from "node:net"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../../..")
const STORE = path.join(ROOT, "demo/store/.medusa/server")
const READY_WITHIN_MS = 300_000

export type StoreProcess = {
  readonly url: string
  readonly publishableKey: string
  readonly process: ChildProcess
  /** Everything it has printed. */
  output(): string
  kill(signal?: NodeJS.Signals): Promise<void>
}

export type StoreOptions = {
  readonly databaseUrl: string
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
  /** Where the built store is; the demo's, if left out. */
  readonly folder?: string
}

export const ADMIN = { email: "admin@example.com", password: "test-password" }
export const STOREFRONT = "http://localhost:4100"

export async function startStoreProcess(options: StoreOptions): Promise<StoreProcess> {
  const url = `http://localhost:${options.port}`
  const folder = options.folder ?? STORE
  const child = spawn(process.execPath, [path.join(folder, "serve.js")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      NODE_ENV: "demo",
      MEDUSA_DISABLE_TELEMETRY: "true",
      LOG_LEVEL: "info",
      PORT: String(options.port),
      DATABASE_URL: options.databaseUrl,
      JWT_SECRET: "test-jwt-secret",
      COOKIE_SECRET: "test-cookie-secret",
      STORE_CORS: STOREFRONT,
      ADMIN_CORS: url,
      AUTH_CORS: `${STOREFRONT},${url}`,
      DEMO_ADMIN_EMAIL: ADMIN.email,
      DEMO_ADMIN_PASSWORD: ADMIN.password,
      MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: STOREFRONT,
      MERCHANT_PAYMENTS_PUBLIC_URL: url,
      ...options.env,
    },
  })
  let output = ""
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const publishableKey = await ready(child, () => output)
  return {
    url,
    publishableKey,
    process: child,
    output: () => output,
    async kill(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, "exit")
      child.kill(signal)
      await gone
    },
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer()
  server.listen(0, "localhost")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

function ready(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error(`The store did not come up:\n${output()}`))
    }, READY_WITHIN_MS)
    child.on("message", (message: { isReady?: boolean; publishableKey?: string }) => {
      if (!message.isReady) return
      clearTimeout(timer)
      resolve(message.publishableKey ?? "")
    })
    child.once("exit", (code) => {
      clearTimeout(timer)
      reject(new Error(`The store ended with ${String(code)}:\n${output()}`))
    })
  })
}
