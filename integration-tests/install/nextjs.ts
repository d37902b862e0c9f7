/** The storefront of Medusa's starter for Next.js with the patch of examples/nextjs, built. */
import fs from "node:fs"
import path from "node:path"
import { run } from "./commands"
import { manage, managerOf } from "./managers"
import type { Merchant } from "./merchant"
import type { Store } from "./store"
import { KIT, type Tarballs } from "./tarballs"

const PATCH = path.resolve(__dirname, "../../examples/nextjs/storefront.patch")

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
  const pnpm = managerOf("pnpm")
  fs.cpSync(starter, folder, {
    recursive: true,
    filter: (file) => !/(^|\/)(node_modules|\.git|\.next)$/.test(path.relative(starter, file)),
  })
  fs.rmSync(path.join(folder, "apps/backend"), { recursive: true, force: true })
  await run({ argv: ["git", "init", "--quiet"], cwd: folder, signal })
  await run({ argv: ["git", "apply", PATCH], cwd: folder, signal })
  const cwd = path.join(folder, "apps/storefront")
  const where = { cwd, signal }
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
