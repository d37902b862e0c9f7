/** The command line of the live suite. */
import fs from "node:fs"
import path from "node:path"
import readline from "node:readline/promises"
import { createGateway } from "merchant-payments-gateway"
import { writeReport } from "./report"
import { NotBegun, settingsFrom } from "./settings"
import { runSuite } from "./suite"

const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener("abort", end)
  })

async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = readline.createInterface({ input: process.stdin, output: process.stderr })
  // While a line is read, Ctrl-C reaches the reader and not the process.
  lines.on("SIGINT", () => process.emit("SIGINT"))
  try {
    return (await lines.question(`${question} Type yes: `, { signal })).trim() === "yes"
  } catch {
    return false
  } finally {
    lines.close()
  }
}

/** Ends with 0 when all was asked, 1 when the run ended early, 2 when it did not begin. */
export async function main(args: readonly string[]): Promise<void> {
  const ending = new AbortController()
  process.on("SIGINT", () => ending.abort())
  const { signal } = ending
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  try {
    const settings = settingsFrom(process.env, args)
    const { baseUrl, clientId, clientSecret, phone, folder } = settings
    fs.mkdirSync(folder, { recursive: true })
    const gateway = createGateway({ baseUrl, clientId, clientSecret })
    const report = await runSuite(settings, {
      ...{ gateway, signal, say },
      confirm: (question) => confirm(question, signal),
      save: (now) => writeReport(folder, now, [clientSecret, clientId, phone]),
      clock: { nowMs: () => Date.now(), sleep: (ms) => sleep(ms, signal) },
    })
    await gateway.close()
    say(`${report.ended ?? "All was asked."} The report is in ${path.resolve(folder)}.`)
    process.exitCode = report.ended === null ? 0 : 1
  } catch (error) {
    if (!(error instanceof NotBegun)) throw error
    say(`${error.code}: ${error.message}`)
    process.exitCode = 2
  }
}
