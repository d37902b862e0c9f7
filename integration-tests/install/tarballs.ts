/** The four packages as tarballs, packed in a copy so that no README of the checkout is rewritten. */
import fs from "node:fs"
import path from "node:path"
import { buildCheckout, buildPlugin, buildSimulator } from "../../demo/run/build.cjs"
import { run, shell } from "./commands"
import type { Readme } from "./readme-steps"

const ROOT = path.resolve(__dirname, "../..")

export const PLUGIN = "medusa-plugin-merchant-payments"
export const CLIENT = "merchant-payments-gateway"
export const KIT = "medusa-merchant-payments-checkout"
export const SIMULATOR = "merchant-payments-simulator"

/** What a copy needs to be packed. */
const PACKED = [
  ...["package.json", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"],
  ...["tsconfig.json", ".medusa", "contract", "docs", "examples", "scripts", "packages"],
]

/** What the README's first step does before it packs; here it is built only where it is stale. */
const PREPARES = ["npm ci", "npm run build"]

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
  const printed = readme.step(1).code.trim().split(" && ")
  const missing = PREPARES.filter((one) => !printed.includes(one))
  if (missing.length > 0) throw new Error(`The README's step 1 lacks ${missing.join(", ")}.`)
  const packs = printed.filter((one) => !PREPARES.includes(one))
  await shell(packs.join(" && "), { cwd: copy, signal })
  for (const name of [KIT, SIMULATOR]) {
    await run({ argv: ["npm", "pack", "--workspace", name], cwd: copy, signal })
  }
  const files = fs.readdirSync(copy).filter((file) => file.endsWith(".tgz"))
  for (const file of files) fs.renameSync(path.join(copy, file), path.join(folder, file))
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
