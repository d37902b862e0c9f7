/** What is played on one ground, as far as it goes. */
import fs from "node:fs"
import path from "node:path"
import type { Browser } from "playwright-core"
import type { Postgres } from "../../demo/run/postgres.cjs"
import { enableMethods, openAdmin, openEachPage, testConnection } from "./admin-pages"
import * as application from "./application"
import type { Application } from "./application"
import { WORKSPACE_STARTER, type Ground } from "./grounds"
import { merchantOf, ordersOf, setUpShop } from "./merchant"
import { buildStorefront } from "./nextjs"
import { payInNextjs } from "./nextjs-shopper"
import type { Readme } from "./readme-steps"
import type { Report } from "./report"
import { payByKit } from "./shopper"
import { startStore, type Store } from "./store"
import type { Tarballs } from "./tarballs"
import { expectOrders, leaveRegions, removePackage } from "./uninstall"
import { oldTarballs, upgrade } from "./upgrade"

export type Setting = {
  readonly readme: Readme
  readonly report: Report
  readonly tarballs: Tarballs
  readonly postgres: Postgres
  readonly simulatorUrl: string
  readonly browser: Browser
  readonly oldPlugin: string | undefined
  /** Everything that is made lies in it. */
  readonly folder: string
  readonly signal: AbortSignal
}

type Step = (name: string, work: () => Promise<string>) => Promise<void>

/** @throws what the first failing step threw; the report has its line */
export async function play(ground: Ground, setting: Setting): Promise<void> {
  const { report, folder } = setting
  const app = await applicationOf(ground, setting)
  const step: Step = (name, work) => report.step(ground.name, name, work)
  const running: { store?: Store | undefined } = {}
  const stop = async () => {
    const { store } = running
    running.store = undefined
    await store?.stop()
  }
  try {
    await step("Medusa's starter", () => application.installStarter(app))
    await step("2 install", () => application.installPlugin(app, setting.tarballs))
    await step("3 configure", () => application.configure(app))
    await step("4 and 5 migrate", () => application.migrate(app))
    await step("6 build", () => application.build(app))
    await step("6 start", async () => {
      running.store = await startStore(app)
      return `${running.store.url} answers in production, for staging at the simulator`
    })
    if (ground.until === "boot" || !running.store) return
    const orders = await sell(app, running.store, setting, step)
    if (ground.until === "order") return
    await payInStarter(app, running.store, setting, step)
    await step("uninstall: regions", () => leaveRegions(app))
    await stop()
    await step("uninstall: package", async () => {
      running.store = await removePackage(app)
      return expectOrders(running.store, orders)
    })
    await stop()
    await playUpgrade(app, setting, step)
  } finally {
    await stop()
    fs.rmSync(path.join(folder, ground.name), { recursive: true, force: true })
  }
}

async function applicationOf(ground: Ground, setting: Setting): Promise<Application> {
  const { readme, postgres, simulatorUrl, folder, signal } = setting
  const databaseUrl = await postgres.createDatabase(`install_${ground.name.replaceAll("-", "_")}`)
  const env = application.environmentOf(readme, { databaseUrl, simulatorUrl })
  const root = path.join(folder, ground.name)
  return { ground, readme, root, folder: path.join(root, ground.backend), env, signal, said: [] }
}

/** From a store that boots to paid orders. @returns their ids */
async function sell(app: Application, store: Store, setting: Setting, step: Step) {
  const { readme, browser, tarballs, simulatorUrl, signal, folder } = setting
  await application.makeMerchant(app)
  const merchant = await merchantOf(store)
  await step("a region, shipping, a product", async () => {
    await setUpShop(merchant)
    return "made by Medusa's admin API"
  })
  const office = await openAdmin(browser, store)
  try {
    await step("7 test connection", () => testConnection(readme, office))
    await step("8 enable", () => enableMethods(office, merchant))
    const page = path.join(folder, "page")
    await step("pay by the kit", () =>
      payByKit({ merchant, store, simulatorUrl, folder: page, tarballs, signal }),
    )
    await step("the admin's pages", () => openEachPage(office, merchant))
  } finally {
    await office.context.close()
  }
  return (await ordersOf(merchant)).map(({ id }) => id)
}

/** The storefront of Medusa's starter, against the same store. */
async function payInStarter(app: Application, store: Store, setting: Setting, step: Step) {
  const { tarballs, simulatorUrl, signal, report, folder } = setting
  const starter = process.env[WORKSPACE_STARTER]
  if (starter === undefined) {
    const why = `${WORKSPACE_STARTER} names no folder of Medusa's starter, which no registry has`
    return report.skip(app.ground.name, "Next.js", why)
  }
  const merchant = await merchantOf(store)
  const shop = path.join(folder, "nextjs")
  await step("Next.js", () =>
    buildStorefront({ starter, folder: shop, store, merchant, tarballs, signal }),
  )
  await step("pay in Next.js", () => payInNextjs({ shop, merchant, simulatorUrl, signal }))
  fs.rmSync(shop, { recursive: true, force: true })
}

async function playUpgrade(app: Application, setting: Setting, step: Step): Promise<void> {
  const { report, postgres, readme, simulatorUrl, tarballs, signal, oldPlugin } = setting
  const name = "upgrade"
  const made = path.join(setting.folder, "old")
  const found = await oldTarballs(oldPlugin, { folder: made, signal })
  if ("why" in found) return report.skip(app.ground.name, name, found.why)
  const databaseUrl = await postgres.createDatabase("install_upgrade")
  const env = application.environmentOf(readme, { databaseUrl, simulatorUrl })
  await application.configure(app)
  await step(name, () => upgrade({ ...app, env }, { old: found.folder, tarballs, simulatorUrl }))
}
