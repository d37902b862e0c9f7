// @ts-check
/**
 * `npm run test:steady`: the whole default run five times beside a load, each time with other seeds
 * and another order of files. What fails here fails by chance: it is mended where the chance is, in
 * the test or in the product. `-- 3` plays three runs, `-- 1 http browser` only those parts.
 *
 * The load keeps four processes busy and writes to the disk.
 */
import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { ROOT } from "./testing/parts.mjs"

const RUNS = 5
const BUSY_PROCESSES = 4
const BUSY = `
const fs = require("node:fs"), crypto = require("node:crypto")
const file = process.argv[1]
for (let round = 0; ; round++) {
  for (let times = 0; times < 400; times++) crypto.createHash("sha256").update(Buffer.alloc(65536, times)).digest()
  const handle = fs.openSync(file, "w")
  fs.writeSync(handle, crypto.randomBytes(2 ** 22))
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}`

const [first = String(RUNS), ...others] = process.argv.slice(2)
const isCount = /^\d+$/.test(first)
const runs = isCount ? Number(first) : RUNS
const parts = isCount ? others : [first, ...others]

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-load-"))
const busy = Array.from({ length: BUSY_PROCESSES }, (_, at) =>
  spawn(process.execPath, ["-e", BUSY, path.join(folder, String(at))], { stdio: "ignore" }),
)
const endLoad = () => {
  for (const child of busy) child.kill("SIGKILL")
  fs.rmSync(folder, { recursive: true, force: true })
}
process.once("exit", endLoad)
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))

const minutes = []
let failed = 0
for (let run = 1; run <= runs; run++) {
  console.log(`\n══ run ${run} of ${runs} ══`)
  const since = performance.now()
  const argv = [path.join(ROOT, "scripts/test.mjs"), "--shuffle", ...parts]
  const { status } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: "inherit" })
  if (status !== 0) failed++
  minutes.push(((performance.now() - since) / 60_000).toFixed(1))
}
console.log(`\nminutes: ${minutes.join(", ")}`)
console.log(`\nruns: ${runs - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
