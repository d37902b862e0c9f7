/** The four packages as tarballs, packed in a copy so that no README of the checkout is rewritten. */
import fs from "node:fs"
import path from "node:path"
import { buildCheckout, buildPlugin, buildSimulator } from "../../demo/run/build.cjs"
import { shell } from "./commands"
import type { Readme } from "./readme-steps"

const ROOT = path.resolve(__dirname, "../..")

export const CLIENT = "merchant-payments-gateway"
export const KIT = "medusa-merchant-payments-checkout"
export const SIMULATOR = "merchant-payments-simulator"

/** What a copy needs to be packed. */
const PACKED = [
  ...["package.json", "package-lock.json", "README.md", "README.fr.md", "LICENSE"],
  ...["CHANGELOG.md", "SECURITY.md", "tsconfig.json", ".medusa", "contract", "demo/run"],
  ...["docs", "examples", "scripts", "packages", "src"],
]

/** The README's first step, in a checkout whose dependencies are there. */
const STEP = /^npm ci && (npm run tarballs -- )\S+$/

type Tarballs = {
  /** The folder that they are in. */
  readonly folder: string
  of(name: string): string
}

export type { Tarballs }

/**
 * @param folder an empty one
 * @returns the tarballs, in `folder`
 */
export async function packAll(
  readme: Readme,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<Tarballs> {
  const context = { root: ROOT, logs: folder, say: () => {}, signal }
  await buildPlugin(context)
  await buildSimulator(context)
  await buildCheckout(context)
  const copy = path.join(folder, "checkout")
  for (const name of PACKED) {
    fs.cpSync(path.join(ROOT, name), path.join(copy, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== "node_modules",
    })
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"))
  const [, command] = STEP.exec(readme.step(1).code.trim()) ?? []
  if (command === undefined) throw new Error("The README's step 1 makes the tarballs otherwise.")
  await shell(`${command}'${folder}'`, { cwd: copy, signal })
  fs.rmSync(copy, { recursive: true })
  return { folder, of: (name) => fileOf(folder, name) }
}

function fileOf(folder: string, name: string): string {
  const found = fs
    .readdirSync(folder)
    .find((file) => /^(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(file)?.[1] === name)
  if (found === undefined) throw new Error(`There is no tarball of ${name}.`)
  return path.join(folder, found)
}
