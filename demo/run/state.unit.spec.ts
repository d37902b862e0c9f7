import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { claimFolder, readState, removeState, secretsOf, writeState } from "./state.cjs"

const STATE = {
  storefront_url: null,
  store_api_url: "http://localhost:4101",
  publishable_key: "pk_1",
  admin_url: "http://localhost:4101/app",
  admin_email: "admin@example.com",
  admin_password: "password",
  simulator_url: null,
  database_url: "postgres://localhost/demo",
  ready_ms: 1,
}

describe("a demo's folder", () => {
  let dir: string

  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "demo-state-"))
  })

  afterEach(() => fs.rmSync(dir, { recursive: true }))

  it("holds the state as it was written, and no draft of it", () => {
    writeState(dir, STATE)
    expect(fs.readdirSync(dir)).toEqual(["state.json"])
    expect(readState(dir)).toEqual(STATE)
  })

  it("loses the state when asked, also when there is none", () => {
    writeState(dir, STATE)
    removeState(dir)
    removeState(dir)
    expect(fs.readdirSync(dir)).toEqual([])
    expect(readState(dir)).toBeNull()
  })

  it("keeps its secrets, and makes a key of 32 bytes", () => {
    const secrets = secretsOf(dir)
    expect(Buffer.from(secrets.encryptionKey, "base64")).toHaveLength(32)
    expect(secretsOf(dir)).toEqual(secrets)
  })

  it("is free again after its run let go", () => {
    claimFolder(dir).release()
    expect(claimFolder(dir).wasKilled).toBe(false)
  })

  it("is free for the next run after one that was killed, and says so", () => {
    const numberOfAnotherProgram = String(process.ppid)
    fs.writeFileSync(path.join(dir, "run.pid"), numberOfAnotherProgram)
    expect(claimFolder(dir).wasKilled).toBe(true)
  })

  it("keeps the state of the demo that runs when a second one is refused", async () => {
    const running = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "start.mjs"])
    await once(running, "spawn")
    fs.writeFileSync(path.join(dir, "run.pid"), String(running.pid))
    writeState(dir, STATE)
    const second = spawnSync(process.execPath, [path.resolve(__dirname, "../start.mjs")], {
      encoding: "utf8",
      env: { ...process.env, DEMO_DIR: dir },
    })
    running.kill("SIGKILL")
    expect(second.stderr).toContain("A demo already runs")
    expect(second.status).toBe(1)
    expect(readState(dir)).toEqual(STATE)
  })
})
