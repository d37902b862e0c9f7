/** The storefront of Medusa's starter for Next.js with the patch of examples/nextjs, built. */
import fs from "node:fs"
import path from "node:path"
import { run } from "./commands"
import { manage, MANAGERS } from "./managers"
import type { Merchant } from "./merchant"
import type { Store } from "./store"
import { KIT, type Tarballs } from "./tarballs"

/** Names a folder of the starter, as it is cloned: with `apps/storefront`. */
export const STARTER = "INSTALL_NEXTJS_STARTER"

const PATCH = path.resolve(__dirname, "../../examples/nextjs/storefront.patch")

/** The starter names a pnpm 10 of its own, which would be fetched instead of the one that runs. */
const OWN_PNPM = { npm_config_manage_package_manager_versions: "false" }

type Storefront = {
  readonly starter: string
  /** An empty one; a copy of the starter is built in it. */
  readonly folder: string
  readonly store: Store
  readonly merchant: Merchant
  readonly tarballs: Tarballs
  readonly signal: AbortSignal
}

/** Follows the steps of examples/nextjs up to the built shop. @throws when one fails */
export async function buildStorefront(given: Storefront): Promise<string> {
  const { starter, folder, store, merchant, tarballs, signal } = given
  const pnpm = MANAGERS.find(({ name }) => name === "pnpm")
  if (!pnpm) throw new Error("There is no pnpm.")
  fs.cpSync(starter, folder, {
    recursive: true,
    filter: (file) => !/(^|\/)(node_modules|\.git|\.next)$/.test(path.relative(starter, file)),
  })
  fs.rmSync(path.join(folder, "apps/backend"), { recursive: true, force: true })
  await run({ argv: ["git", "init", "--quiet"], cwd: folder, signal })
  await run({ argv: ["git", "apply", PATCH], cwd: folder, signal })
  const cwd = path.join(folder, "apps/storefront")
  const where = { cwd, signal, env: OWN_PNPM }
  await manage(pnpm, ["add", tarballs.of(KIT)], where)
  const variables = {
    NEXT_PUBLIC_MEDUSA_BACKEND_URL: store.innerUrl,
    NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY: merchant.publishableKey,
    NEXT_PUBLIC_DEFAULT_REGION: "lr",
  }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  fs.writeFileSync(path.join(cwd, ".env.local"), lines.join(""))
  await manage(pnpm, ["build"], where)
  return "the patch applies, and the shop is built with the kit against this store"
}
