/** The simulator as a developer installs it: its tarball, in a folder of its own. */
import fs from "node:fs"
import path from "node:path"
import { untilItAnswers } from "../../demo/run/answers.cjs"
import { plainEnvironment, startService } from "../../demo/run/child.cjs"
import { freePort } from "../http/support/store-process"
import { run } from "./commands"
import { SIMULATOR, type Tarballs } from "./tarballs"

const ANSWERS_WITHIN_MS = 5 * 60_000

type Gateway = { readonly url: string; stop(): Promise<void> }

export async function startGateway({
  folder,
  tarballs,
  signal,
}: {
  readonly folder: string
  readonly tarballs: Tarballs
  readonly signal: AbortSignal
}): Promise<Gateway> {
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n')
  const tarball = tarballs.of(SIMULATOR)
  const argv = ["npm", "install", "--no-audit", "--no-fund", tarball] as const
  await run({ argv: [...argv], cwd: folder, signal })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const logFile = path.join(folder, "simulator.log")
  const program = path.join("node_modules", SIMULATOR, `bin/${SIMULATOR}.cjs`)
  const service = startService({
    argv: [path.join(folder, program), "--port", String(port)],
    cwd: folder,
    logFile,
    env: plainEnvironment(process.env),
  })
  const options = { who: "simulator", withinMs: ANSWERS_WITHIN_MS, signal, logFile }
  try {
    await untilItAnswers(url, options)
  } catch (error) {
    await service.stop()
    throw error
  }
  return { url, stop: service.stop }
}
