/** A copy of the built store whose configuration is Medusa's alone: the plugin is not there. */
import fs from "node:fs"
import path from "node:path"
import type { Fixture } from "./fixture"

const PLUGIN = "node_modules/medusa-plugin-merchant-payments"
/** What the store's configuration calls gives back what it was given. */
const CONFIG = "exports.withMerchantPayments = (config) => config\n"
const MANIFEST = { name: "medusa-plugin-merchant-payments", exports: { "./config": "./config.js" } }
/** Below the checkout, so that Medusa is found upwards, as the store itself finds it. */
const COPY = ".demo/bench/store-without-plugin"

/** @returns the folder of the copy, made anew */
export function storeWithoutPlugin({ root, storeDirectory }: Fixture): string {
  const copy = path.join(root, COPY)
  fs.rmSync(copy, { recursive: true, force: true })
  fs.cpSync(storeDirectory, copy, { recursive: true })
  fs.copyFileSync(path.join(root, "demo/store/package.json"), path.join(copy, "package.json"))
  const plugin = path.join(copy, PLUGIN)
  fs.mkdirSync(plugin, { recursive: true })
  fs.writeFileSync(path.join(plugin, "package.json"), JSON.stringify(MANIFEST))
  fs.writeFileSync(path.join(plugin, "config.js"), CONFIG)
  return copy
}
