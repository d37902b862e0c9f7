/** The plugin's older version in the same application, upgraded with a payment under way. */
import fs from "node:fs"
import path from "node:path"
import { commitOf, isKnown, LAST_RELEASE } from "../../scripts/old-version.cjs"
import { build, installOther, makeMerchant, migrate, type Application } from "./application"
import { run, shell } from "./commands"
import { merchantOf, setUpShop } from "./merchant"
import { finishPayment, startPayment } from "./shopper"
import { expectOk } from "../http/support/shop"
import { startStore, type Store } from "./store"
import { CLIENT, type Tarballs } from "./tarballs"

const ROOT = path.resolve(__dirname, "../..")

/** @returns the older version's tarballs, or in a sentence why there are none */
export async function oldTarballs(
  given: string | undefined,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<{ readonly folder: string } | { readonly why: string }> {
  if (given !== undefined) return { folder: path.resolve(given) }
  if (!isKnown(LAST_RELEASE)) {
    return { why: `git has no commit of ${LAST_RELEASE}, and --old names no folder of tarballs` }
  }
  fs.mkdirSync(folder, { recursive: true })
  const copy = path.join(folder, "checkout")
  fs.mkdirSync(copy)
  await shell(`git -C '${ROOT}' archive '${commitOf(LAST_RELEASE)}' | tar -x -C '${copy}'`, {
    cwd: folder,
    signal,
  })
  await shell(
    "npm ci && npm run build && npm pack && npm pack --workspace merchant-payments-gateway",
    { cwd: copy, signal },
  )
  await shell("mv checkout/*.tgz . && rm -rf checkout", { cwd: folder, signal })
  return { folder }
}

/**
 * @param app an application on a database of its own
 * @param old the folder of the older version's tarballs
 */
export async function upgrade(
  app: Application,
  { old, tarballs, simulatorUrl }: { old: string; tarballs: Tarballs; simulatorUrl: string },
): Promise<string> {
  let store: Store | undefined
  const start = async () => {
    await migrate(app)
    await build(app)
    store = await startStore(app)
    return store
  }
  try {
    // Its client was a package of its own.
    const beside = fs.readdirSync(old).filter((file) => file.startsWith(`${CLIENT}-`))
    await installOther(app, old, beside)
    const before = await start()
    await makeMerchant(app)
    const merchant = await merchantOf(before)
    const { regionId } = await setUpShop(merchant)
    const path = `/admin/merchant-payments/regions/${regionId}/enable`
    await expectOk(merchant.admin.call("POST", path, {}))
    const inFlight = await startPayment(merchant)
    await before.stop()
    store = undefined
    await installOther(app, tarballs.folder)
    if (beside.length > 0) {
      await run({ argv: ["npm", "uninstall", CLIENT], cwd: app.folder, signal: app.signal })
    }
    const after = await start()
    return await finishPayment(await merchantOf(after), inFlight, simulatorUrl)
  } finally {
    await store?.stop()
  }
}
