/** One fresh application: laid out, installed, configured, migrated and built by the README. */
import { randomBytes } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { run, shell } from "./commands"
import type { Ground } from "./grounds"
import { manage } from "./managers"
import { MERCHANT } from "./merchant"
import { peersIn } from "./peers"
import type { Readme } from "./readme-steps"
import type { Tarballs } from "./tarballs"

export type Application = {
  readonly ground: Ground
  readonly readme: Readme
  /** What was laid out. */
  readonly root: string
  /** The backend, in it. */
  readonly folder: string
  /** What the README's fourth step sets, and what Medusa's own starter wants. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** What the package manager said about peers before the plugin was there. */
  readonly said: string[]
}

const CONFIG = "medusa-config.ts"
const BUILT = ".medusa/server"
const START = "npx medusa start"
/** The storefront, whose origin the store is told in step 4. */
export const SHOP = "https://shop.example"

/** A value for each variable that the README names; "" is left out. */
function valuesOf(simulatorUrl: string): Readonly<Record<string, string>> {
  return {
    MERCHANT_PAYMENTS_BASE_URL: simulatorUrl,
    MERCHANT_PAYMENTS_CLIENT_ID: "simulator-client",
    MERCHANT_PAYMENTS_CLIENT_SECRET: "simulator-secret",
    MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: SHOP,
    MERCHANT_PAYMENTS_PUBLIC_URL: "https://localhost",
    MERCHANT_PAYMENTS_TIME_ZONE: "Africa/Monrovia",
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    MERCHANT_PAYMENTS_STAGING_SIMULATOR: simulatorUrl,
    MERCHANT_PAYMENTS_MONEY_METRICS: "true",
    MERCHANT_PAYMENTS_PROXIES: "private",
    MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS: "",
  }
}

export const variablesWithValue = (): readonly string[] => Object.keys(valuesOf(""))

/** Step 4, with the simulator as the gateway. @throws where the README names another variable */
export function environmentOf(
  readme: Readme,
  { databaseUrl, simulatorUrl }: { databaseUrl: string; simulatorUrl: string },
): Readonly<Record<string, string>> {
  const values = valuesOf(simulatorUrl)
  const ours = readme.variables.map((name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`This test has no value for ${name}.`)
    return [name, value] as const
  })
  return {
    DATABASE_URL: databaseUrl,
    ...{ STORE_CORS: SHOP, ADMIN_CORS: SHOP, AUTH_CORS: SHOP },
    ...{ JWT_SECRET: "install-jwt-secret", COOKIE_SECRET: "install-cookie-secret" },
    ...Object.fromEntries(ours.filter(([, value]) => value !== "")),
  }
}

const placeOf = ({ folder, signal }: Application) => ({ cwd: folder, signal })

/** Before the plugin: Medusa alone. @returns the peers that it complains about by itself */
export async function installStarter(app: Application): Promise<string> {
  const { manager } = app.ground
  fs.mkdirSync(app.root, { recursive: true })
  app.ground.layOut(app.root)
  const { lines } = peersIn(await manage(manager, manager.install, placeOf(app)))
  app.said.push(...lines)
  return toldOf(lines, "Medusa's own peers")
}

/** Step 2. @throws when a package of ours causes a warning about a peer */
export async function installPlugin(app: Application, tarballs: Tarballs): Promise<string> {
  const output = await addTarballs(app, tarballs.folder)
  const { lines, ours } = peersIn(output, app.said)
  if (ours.length > 0) throw new Error(`Our packages cause:\n${ours.join("\n")}`)
  return toldOf(lines, "none about our packages; Medusa's own peers")
}

const toldOf = (lines: readonly string[], of: string): string =>
  lines.length === 0 ? "no warning about a peer" : [`${of}:`, ...lines].join("\n")

/** The line of step 2 by the command of the manager, with the tarballs where step 1 puts them. */
async function addTarballs(app: Application, folder: string, besides: readonly string[] = []) {
  const install = app.readme.step(2).code.trim()
  if (!install.startsWith("npm install ")) throw new Error(`Step 2 installs by: ${install}`)
  const vendor = path.join(app.folder, "vendor")
  fs.mkdirSync(vendor, { recursive: true })
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith(".tgz"))) {
    fs.copyFileSync(path.join(folder, file), path.join(vendor, file))
  }
  const files = [...install.split(" ").slice(2), ...besides.map((file) => `./vendor/${file}`)]
  const { manager } = app.ground
  const { add, named = (file: string) => file } = manager
  return manage(manager, [...add, ...files.map(named)], placeOf(app))
}

/** An older package, or a newer one, over the one that is there. */
export const installOther = addTarballs

/** Step 3: the lines as printed, at the end of the file. */
export async function configure({ folder, readme }: Application): Promise<string> {
  const { code } = readme.step(3)
  fs.appendFileSync(path.join(folder, CONFIG), `\n${code}`)
  return `${code.trim().split("\n").length} lines at the end of ${CONFIG}`
}

/** Takes step 3 back. */
export function takeOutOfConfig({ folder, readme }: Application): void {
  const file = path.join(folder, CONFIG)
  const text = fs.readFileSync(file, "utf8")
  fs.writeFileSync(file, text.replace(readme.step(3).code, ""))
}

/** Step 5, and what the README says that it ends with. */
export async function migrate(app: Application): Promise<string> {
  const { code, quoted } = app.readme.step(5)
  const output = await shell(code, { ...placeOf(app), env: app.env })
  const [words = ""] = quoted
  if (!output.includes(words))
    throw new Error(`It does not say "${words}":\n${output.slice(-2_000)}`)
  return `"${words}"`
}

/** Medusa's own command. */
export async function makeMerchant({ env, ...app }: Application): Promise<void> {
  const { email, password } = MERCHANT
  const argv = ["npx", "medusa", "user", "-e", email, "-p", password] as const
  await run({ argv: [...argv], cwd: app.folder, signal: app.signal, env })
}

/** Step 6 up to the start, which keeps running and is therefore started by {@link startStore}. */
export async function build(app: Application): Promise<string> {
  const { folder, ground, env, readme } = app
  const { manager } = ground
  const lines = readme.step(6).code.trim()
  if (!lines.endsWith(` && ${START}`)) throw new Error(`Step 6 does not end with ${START}.`)
  fs.rmSync(path.join(folder, BUILT), { recursive: true, force: true })
  const where = { ...placeOf(app), env }
  if (manager.name === "npm") {
    await shell(lines.slice(0, -` && ${START}`.length), where)
  } else {
    const [first = ""] = lines.split("\n")
    await shell(first, where)
    const cwd = path.join(folder, BUILT)
    for (const [name, text] of Object.entries(manager.files)) {
      const file = path.join(cwd, name)
      if (!fs.existsSync(file)) fs.writeFileSync(file, text)
    }
    const { install, alone = [] } = manager
    await manage(manager, [...install, ...alone], { cwd, signal: app.signal })
  }
  return `${BUILT} is built and installed`
}
