/** Plays the installation on each ground, one application at a time, and cleans up. */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { StartFailure } from "../../demo/run/failure.cjs"
import { launchChromium } from "../browser/support/chromium"
import { startPostgres } from "../../demo/run/postgres.cjs"
import { groundOf } from "./grounds"
import { readInstallOptions, type InstallOptions } from "./options"
import { readReadme } from "./readme-steps"
import { reportTo, type Report, type StepResult } from "./report"
import { startGateway } from "./simulator"
import { play, type Setting } from "./story"
import { packAll, type Tarballs } from "./tarballs"

/** @param argv the arguments after the script */
export async function main(argv: readonly string[]): Promise<void> {
  const ended = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => ended.abort(new StartFailure(`It was ended by ${signal}.`)))
  }
  try {
    const options = readInstallOptions(argv)
    const say = (line: string) => console.log(line)
    const { results, text } = await install(options, { say, signal: ended.signal })
    if (options.jsonFile !== undefined) {
      fs.writeFileSync(options.jsonFile, `${JSON.stringify(results, null, 2)}\n`)
    }
    say(text)
    if (results.some(({ outcome }) => outcome === "failed")) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof StartFailure ? error.message : error)
    process.exitCode = 1
  }
}

type Around = { readonly say: (line: string) => void; readonly signal: AbortSignal }

type Installed = { readonly results: readonly StepResult[]; readonly text: string }

/** @returns each step, and the line that counts them. A failed step ends its ground's part. */
export async function install(options: InstallOptions, around: Around): Promise<Installed> {
  const report = reportTo(around.say)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-install-"))
  const removeFolder = () => fs.rmSync(folder, { recursive: true, force: true })
  process.once("exit", removeFolder)
  try {
    await playAll(options, { ...around, report, folder })
  } finally {
    removeFolder()
    process.removeListener("exit", removeFolder)
  }
  const [passed, failed, skipped] = (["passed", "failed", "skipped"] as const).map(report.count)
  const left = skipped ? `, ${skipped} skipped` : ""
  return { results: report.results, text: `${passed} passed, ${failed} failed${left}` }
}

async function playAll(
  { grounds, oldPlugin }: InstallOptions,
  { report, folder, signal }: Around & { readonly report: Report; readonly folder: string },
): Promise<void> {
  const readme = readReadme()
  const packed = path.join(folder, "tarballs")
  fs.mkdirSync(packed)
  let tarballs: Tarballs | undefined
  const pack = async () => {
    tarballs = await packAll(readme, { folder: packed, signal })
    return "four tarballs, from a copy of the checkout"
  }
  await report.step("npm", "1 pack", pack).catch(() => undefined)
  if (!tarballs) return
  const postgres = await startPostgres()
  try {
    const gateway = await startGateway({ folder: path.join(folder, "gateway"), tarballs, signal })
    const browser = await launchChromium()
    try {
      const { url: simulatorUrl } = gateway
      const made = { readme, report, tarballs, postgres, simulatorUrl, browser }
      const setting: Setting = { ...made, oldPlugin, folder, signal }
      for (const name of grounds) {
        if (signal.aborted) break
        const ground = groundOf(name)
        if ("why" in ground) report.skip(name, "Medusa's starter", ground.why)
        else await play(ground, setting).catch((error: unknown) => told(error, report, name))
      }
    } finally {
      await browser.close()
      await gateway.stop()
    }
  } finally {
    await postgres.stop()
  }
  signal.throwIfAborted()
}

/** What a step threw is in the report; anything else is a fault between two steps. */
function told(error: unknown, report: Report, ground: string): void {
  const last = report.results.at(-1)
  if (last?.ground === ground && last.outcome === "failed") return
  void report
    .step(ground, "between two steps", () => Promise.reject(error as Error))
    .catch(() => undefined)
}
