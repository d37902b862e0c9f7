/**
 * `mutants`: breaks a rule of the product in a copy, and expects the crash harness to notice, and
 * for some rules the drawn histories, too. A harness that never fails proves nothing. The copy
 * without a patch plays the same first, once for all that play the same histories, and has to be
 * without a violation.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fork } from "node:child_process"
import { once } from "node:events"
import { many } from "../../bench/support/many"
import { plainEnvironment } from "../../demo/run/child.cjs"
import { StartFailure } from "../../demo/run/failure.cjs"
import { MUTANTS, type Mutant, type Patch } from "./mutant-table"
import type { Proof } from "./proof"

const ROOT = path.resolve(__dirname, "../..")
/** All that a scenario needs; what is installed is linked. */
export const COPIED = [
  "src",
  "packages/gateway",
  "packages/simulator",
  "contract",
  "demo/run",
  "bench/support/load-typescript.cjs",
  "integration-tests/support",
  "integration-tests/crash",
  "integration-tests/histories",
  "integration-tests/proof",
  "integration-tests/soak",
  "package.json",
  // Without git, so that a copy plays no release beside.
  "scripts/old-version.cjs",
  "scripts/releases.json",
]

/** What the oracle said, by the harness that asked it. */
export type Noticed = {
  /** Absent where no scenario is played. */
  readonly crash?: readonly string[]
  /** Absent where the drawn histories are not asked. */
  readonly drawn?: readonly string[]
}

const NOTHING: Noticed = {}

export const mutants: Proof = {
  name: "mutants",
  async run({ seed, scenario = "", say }) {
    const survivors: string[] = []
    const controls = new Map<string, Promise<readonly string[]>>()
    let scenarios = 0
    let caught = 0
    const judge = async (mutant: Mutant) => {
      const control = mutant.scenarios.length > 0 ? mutant.name : `${mutant.histories} histories`
      const unbroken =
        controls.get(control) ??
        noticedIn({ ...mutant, patches: [] }, seed).then((found) => Object.values(found).flat())
      controls.set(control, unbroken)
      const controlled = await unbroken
      const noticed = Object.values(await noticedIn(mutant, seed))
      scenarios += mutant.scenarios.length + (mutant.histories ?? 0)
      const isNoticed = noticed.length > 0 && noticed.every((found) => found.length > 0)
      const isCaught = controlled.length === 0 && isNoticed
      if (isCaught) caught += 1
      else survivors.push(mutant.name)
      const why = controlled.length > 0 ? `broken without it: ${controlled[0]}` : "SURVIVED"
      const first = noticed.map(([found]) => found).join("; drawn: ")
      say(`${mutant.name}: ${isCaught ? `caught: ${first}` : why}`)
    }
    const own = MUTANTS.filter(({ name }) => name.includes(scenario))
    if (own.length === 0) throw new StartFailure(`No mutant has "${scenario}" in its name.`)
    await many(own, os.availableParallelism(), judge)
    return { scenarios, caught, survived: survivors.length, survivors }
  },
}

/**
 * @returns what the oracle says in a copy with the mutant's patches; none also when a patch is none
 */
async function noticedIn(mutant: Mutant, seed: number): Promise<Noticed> {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-mutant-"))
  try {
    for (const name of COPIED) {
      fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
    }
    fs.symlinkSync(
      fs.realpathSync(path.join(ROOT, "node_modules")),
      path.join(copy, "node_modules"),
    )
    if (!mutant.patches.every((patch) => applied(copy, patch))) return NOTHING
    return await playedIn(copy, mutant.name, seed)
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

function applied(copy: string, { file, find, replace }: Patch): boolean {
  const target = path.join(copy, file)
  const parts = fs.readFileSync(target, "utf8").split(find)
  if (parts.length !== 2) return false
  fs.writeFileSync(target, parts.join(replace))
  return true
}

async function playedIn(copy: string, name: string, seed: number): Promise<Noticed> {
  const child = fork(
    path.join(copy, "integration-tests/proof/play-mutant.ts"),
    [name, String(seed)],
    {
      execArgv: [
        "--require",
        path.join(copy, "demo/run/watch-parent.cjs"),
        "--require",
        path.join(copy, "bench/support/load-typescript.cjs"),
      ],
      env: { ...plainEnvironment(process.env), NODE_ENV: "test" },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  )
  let noticed = NOTHING
  child.on("message", (message: Noticed) => void (noticed = message))
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`the scenarios of "${name}" could not be played`)
  return noticed
}
