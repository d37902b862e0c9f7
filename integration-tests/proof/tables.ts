/**
 * `tables`: the tests that `npm test` plays in part, played whole. They are found by what they
 * import, so that none can be left out.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { WHOLE_TABLES } from "../support/whole-tables"
import { sum, type Proof } from "./proof"

const ROOT = path.resolve(__dirname, "../..")
const JEST = path.join(ROOT, "node_modules/jest/bin/jest.js")
const PLACES = ["src", "packages", "integration-tests"]
const WORKERS = 2
const EXAMPLES = 10

type Played = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export const tables: Proof = {
  name: "tables",
  async run({ seed, say }) {
    const since = performance.now()
    const files = specsWithTables()
    say(`the tables of ${files.length} files`)
    const played = await play(files)
    const broken = played.testResults.flatMap(brokenIn)
    for (const one of broken) say(`BROKEN ${one}`)
    const names = played.testResults.map(
      ({ name, assertionResults }) => `${path.relative(ROOT, name)}: ${assertionResults.length}`,
    )
    return {
      scenarios: sum(played.testResults, ({ assertionResults }) => assertionResults.length),
      kills: 0,
      faults: 0,
      violations: broken.length,
      seed,
      seconds: Math.round((performance.now() - since) / 1_000),
      examples: (broken.length > 0 ? broken : names).slice(0, EXAMPLES),
    }
  },
}

function specsWithTables(): string[] {
  return PLACES.flatMap((place) =>
    fs
      .readdirSync(path.join(ROOT, place), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.spec\.tsx?$/.test(file) && !file.includes("node_modules"))
      .map((file) => path.join(place, file))
      .filter((file) => fs.readFileSync(path.join(ROOT, file), "utf8").includes('/whole-tables"')),
  ).sort()
}

/** A file that could not run has no tests that could fail. */
function brokenIn({ name, status, message, assertionResults }: Played["testResults"][number]) {
  const failed = assertionResults.filter((one) => one.status === "failed")
  if (status === "failed" && failed.length === 0) return [`${name}: ${message}`]
  return failed.map(({ fullName }) => `${path.relative(ROOT, name)}: ${fullName}`)
}

async function play(files: readonly string[]): Promise<Played> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-tables-"))
  const outputFile = path.join(folder, "result.json")
  const argv = [JEST, ...files, `--maxWorkers=${WORKERS}`, "--json", "--outputFile", outputFile]
  try {
    const child = spawn(process.execPath, argv, {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, [WHOLE_TABLES]: "1", MEDUSA_DISABLE_TELEMETRY: "true" },
    })
    await once(child, "close")
    return JSON.parse(fs.readFileSync(outputFile, "utf8")) as Played
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
