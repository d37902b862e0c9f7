/**
 * `npx medusa exec SCRIPT …` in a store's folder, beside the running store, as docs/install.md says
 * it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import type { Harness } from "./harness"

const ROOT = path.resolve(__dirname, "../../..")
const MEDUSA = path.join(ROOT, "node_modules/@medusajs/cli/cli.js")
const SCRIPTS = "./node_modules/medusa-plugin-merchant-payments/.medusa/server/src/scripts"

export type Ended = { readonly code: number | null; readonly out: string; readonly error: string }

/** Registers the suite's hooks: the folder is there inside tests only. */
export function useMedusaExec(harness: Harness, name: string) {
  const { medusa } = useStoreFolder(harness, name)
  return (
    script: string,
    env: Readonly<Record<string, string>>,
    ...given: string[]
  ): Promise<Ended> => medusa(env, "exec", `${SCRIPTS}/${script}.js`, ...given)
}

/** A store's folder over the harness's database, in which `npx medusa …` is run. */
export function useStoreFolder(harness: Harness, name: string) {
  /** Below the checkout, so that Medusa is found upwards, as the demo's store finds it. */
  const folder = path.join(ROOT, ".demo", `${name}-${process.pid}`)

  // A store's folder as `medusa build` and `npm install` leave it: what is built, its packages.
  beforeAll(() => {
    const store = path.join(ROOT, "demo/store")
    fs.cpSync(path.join(store, ".medusa/server"), folder, { recursive: true })
    fs.copyFileSync(path.join(store, "package.json"), path.join(folder, "package.json"))
    fs.symlinkSync(path.join(store, "node_modules"), path.join(folder, "node_modules"))
  })

  afterAll(() => fs.rmSync(folder, { recursive: true }))

  async function databaseUrl(): Promise<string> {
    const [database] = await harness.sql<{ name: string }>("select current_database() as name")
    const url = new URL(process.env["TEST_POSTGRES_URL"] ?? "")
    url.pathname = `/${database?.name ?? ""}`
    return url.href
  }

  async function medusa(
    env: Readonly<Record<string, string>>,
    ...given: readonly string[]
  ): Promise<Ended> {
    const child = spawn(process.execPath, [MEDUSA, ...given], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: process.env["HOME"] ?? "",
        NODE_ENV: "demo",
        LOG_LEVEL: "error",
        MEDUSA_DISABLE_TELEMETRY: "true",
        DATABASE_URL: await databaseUrl(),
        JWT_SECRET: "test-jwt-secret",
        COOKIE_SECRET: "test-cookie-secret",
        ...env,
      },
    })
    let out = ""
    let error = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()))
    const [code] = (await once(child, "close")) as [number | null]
    return { code, out, error }
  }

  return { folder, databaseUrl, medusa }
}
