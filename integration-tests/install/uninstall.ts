/** The way out, by docs/upgrade.md: its own commands, in its order. */
import fs from "node:fs"
import path from "node:path"
import { build, takeOutOfConfig, type Application } from "./application"
import { run, shell } from "./commands"
import { merchantOf, ordersOf } from "./merchant"
import { startStore, type Store } from "./store"

const PAGE = path.resolve(__dirname, "../../docs/upgrade.md")

/** @returns what the page says between two of its headings */
function below(heading: string): string {
  const [, rest] = fs.readFileSync(PAGE, "utf8").split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`docs/upgrade.md has no ${heading}.`)
  return rest.split("\n### ")[0] ?? ""
}

/** Step 2 of the page: while the store runs. */
export async function leaveRegions(app: Application): Promise<string> {
  const [, command = ""] =
    /```bash\n([^]*?)```/.exec(below("### 2. Take it out of the regions")) ?? []
  const output = await shell(command, { cwd: app.folder, env: app.env, signal: app.signal })
  const line = output.split("\n").find((one) => one.startsWith("{") && one.includes("may_remove"))
  const left = JSON.parse(line ?? "{}") as { may_remove?: boolean; is_out?: boolean }
  if (!left.may_remove || !left.is_out) throw new Error(`The command says:\n${output}`)
  return "no region offers the plugin, and it may be removed"
}

/** Step 3 of the page. @returns the store without the plugin, running */
export async function removePackage(app: Application): Promise<Store> {
  const [, command] = /`(npm uninstall [^`]+)`/.exec(below("### 3. Remove the package")) ?? []
  if (command === undefined) throw new Error("docs/upgrade.md names no command to remove it.")
  takeOutOfConfig(app)
  await run({ argv: toArgv(command), cwd: app.folder, signal: app.signal })
  const kept = Object.entries(app.env).filter(([name]) => !name.startsWith("MERCHANT_PAYMENTS_"))
  const without = { ...app, env: Object.fromEntries(kept) }
  await build(without)
  return startStore(without)
}

const toArgv = (command: string): [string, ...string[]] => {
  const [program = "", ...args] = command.split(" ")
  return [program, ...args]
}

/** @throws unless the store, without the plugin, shows the orders of before */
export async function expectOrders(store: Store, before: readonly string[]): Promise<string> {
  const orders = await ordersOf(await merchantOf(store))
  const missing = before.filter((id) => !orders.some((one) => one.id === id))
  if (before.length === 0 || missing.length > 0) {
    throw new Error(`Of the orders ${before.join(", ")} are missing: ${missing.join(", ")}.`)
  }
  return `it boots, and shows ${orders.length} orders of before`
}
