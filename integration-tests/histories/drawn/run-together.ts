/**
 * As `run-histories.ts`, on several cores: each process has a ledger of its own, and plays every
 * so-many-th history. The same seed gives the same histories, however many share them.
 */
import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import os from "node:os"
import path from "node:path"
import { plainEnvironment } from "../../../demo/run/child.cjs"
import type { Verdict } from "./play"
import type { Part, Told, Until } from "./play-part"
import type { Broken, Drawn, Given } from "./run-histories"

const ROOT = path.resolve(__dirname, "../../..")
const REQUIRED = ["demo/run/watch-parent.cjs", "bench/support/load-typescript.cjs"]
/** More would only start more ledgers. */
const PROCESSES_MAX = 4

export async function runTogether({
  onVerdict = () => {},
  processes = Math.min(PROCESSES_MAX, os.availableParallelism()),
  ...given
}: Given & {
  readonly processes?: number
  /** In the order in which they end. */
  readonly onVerdict?: (verdict: Verdict) => void
}): Promise<Drawn> {
  const verdicts = new Map<number, Verdict>()
  let broken: Broken | undefined
  const parts = Array.from({ length: processes }, (_, from) =>
    begun({ ...given, every: processes, from }),
  )
  const take = (told: Told) => {
    if (told.kind === "over") {
      if (told.broken && told.broken.index <= (broken?.index ?? told.broken.index)) {
        broken = told.broken
      }
      return
    }
    verdicts.set(told.index, told.verdict)
    onVerdict(told.verdict)
    if (told.verdict.violations.length === 0) return
    const until: Until = { until: told.index }
    for (const part of parts) if (part.connected) part.send(until)
  }
  for (const part of parts) part.on("message", take)
  try {
    await Promise.all(parts.map(ended))
  } finally {
    for (const part of parts) part.kill()
  }
  const last = broken?.index ?? given.count
  const inOrder = [...verdicts].filter(([index]) => index <= last).sort(([a], [b]) => a - b)
  return { verdicts: inOrder.map(([, verdict]) => verdict), broken }
}

function begun(part: Part): ChildProcess {
  return fork(path.join(__dirname, "play-part.ts"), [JSON.stringify(part)], {
    execArgv: REQUIRED.flatMap((file) => ["--require", path.join(ROOT, file)]),
    env: { ...plainEnvironment(process.env), NODE_ENV: "test" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
}

async function ended(part: ChildProcess): Promise<void> {
  const [code] = await once(part, "exit")
  if (code !== 0) throw new Error("a part of the histories could not be played")
}
