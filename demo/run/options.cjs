// @ts-check
/**
 * What the environment says about the demo, read once and checked: ports, folders, what to leave
 * out, what to replace. Nothing else in the demo reads these variables.
 */
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")

const DEFAULT_PORT_BASE = 4100
const LAST_PORT = 65_535
const PORTS_IN_USE = 4
const DEFAULT_SEED_COUNT = 200

/**
 * @typedef {object} Options
 * @property {string} root the checkout
 * @property {string} dir holds state, logs, secrets and data; absolute
 * @property {{ storefront: number, store: number, simulator: number, postgres: number }} ports
 * @property {boolean} hasStorefront
 * @property {string | null} databaseUrl a PostgreSQL that is there already
 * @property {string} orderPlacement `pay_first` or `order_first`
 * @property {string | null} feeBearer `PAYER` or `PAYEE`; null leaves it to the gateway
 * @property {string} wire how the simulator writes its answers: `tidy`, `loose` or `odd`
 * @property {{ credentials: boolean, key: boolean }} isWithout what the store's environment lacks,
 * so that it is typed in the admin: the gateway's credentials, and the key that keeps secrets
 * @property {string | null} otherOrigins of shops beside the demo's own, separated by commas
 * @property {string | null} timeZone of the shop, as `Africa/Monrovia`; the store checks it
 * @property {number} seedCount what `npm run demo:seed` makes: so many payments
 * @property {Record<string, string> | null} gateway the environment of a gateway that replaces the
 * simulator
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root
 * @returns {Options}
 */
function readOptions(env, root) {
  const base = readPortBase(env.PORT_BASE)
  return {
    root,
    dir: path.resolve(root, env.DEMO_DIR || ".demo"),
    ports: { storefront: base, store: base + 1, simulator: base + 2, postgres: base + 3 },
    hasStorefront: env.DEMO_NO_STOREFRONT !== "1",
    databaseUrl: readDatabaseUrl(env.DATABASE_URL),
    orderPlacement: readOrderPlacement(env.DEMO_ORDER_PLACEMENT),
    feeBearer: readFeeBearer(env.DEMO_FEE_BEARER),
    wire: readWire(env.DEMO_WIRE),
    isWithout: readWithout(env.DEMO_WITHOUT),
    otherOrigins: env.MERCHANT_PAYMENTS_STOREFRONT_ORIGINS || null,
    timeZone: env.MERCHANT_PAYMENTS_TIME_ZONE || null,
    seedCount: readSeedCount(env.DEMO_SEED_COUNT),
    gateway: readGateway(env),
  }
}

/** @param {string | undefined} text */
function readPortBase(text) {
  if (!text) return DEFAULT_PORT_BASE
  const base = Number(text)
  const last = LAST_PORT - PORTS_IN_USE + 1
  if (Number.isInteger(base) && base > 0 && base <= last) return base
  throw new StartFailure(`PORT_BASE is "${text}"; it must be a whole number from 1 to ${last}.`)
}

/** @param {string | undefined} text */
function readDatabaseUrl(text) {
  if (!text) return null
  if (/^postgres(ql)?:$/.test(URL.canParse(text) ? new URL(text).protocol : "")) return text
  throw new StartFailure("DATABASE_URL must look like postgres://user:password@host:5432/name.")
}

/** @param {string | undefined} text */
function readOrderPlacement(text) {
  if (!text) return "pay_first"
  if (text === "pay_first" || text === "order_first") return text
  throw new StartFailure(`DEMO_ORDER_PLACEMENT is "${text}"; it must be pay_first or order_first.`)
}

/** @param {string | undefined} text */
function readFeeBearer(text) {
  if (!text) return null
  if (text === "PAYER" || text === "PAYEE") return text
  throw new StartFailure(`DEMO_FEE_BEARER is "${text}"; it must be PAYER or PAYEE.`)
}

/** @param {string | undefined} text */
function readWire(text) {
  if (!text) return "tidy"
  if (text === "tidy" || text === "loose" || text === "odd") return text
  throw new StartFailure(`DEMO_WIRE is "${text}"; it must be tidy, loose or odd.`)
}

/** @param {string | undefined} text */
function readWithout(text) {
  const named = text ? text.split(",").map((name) => name.trim()) : []
  const unknown = named.find((name) => name !== "credentials" && name !== "key")
  if (unknown === undefined) {
    return { credentials: named.includes("credentials"), key: named.includes("key") }
  }
  throw new StartFailure(`DEMO_WITHOUT names "${unknown}"; it may name credentials and key.`)
}

/** @param {string | undefined} text */
function readSeedCount(text) {
  if (!text) return DEFAULT_SEED_COUNT
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new StartFailure(`DEMO_SEED_COUNT is "${text}"; it must be a whole number above zero.`)
}

/** @param {NodeJS.ProcessEnv} env */
function readGateway(env) {
  const baseUrl = env.MERCHANT_PAYMENTS_BASE_URL
  if (!baseUrl) return null
  return {
    MERCHANT_PAYMENTS_BASE_URL: baseUrl,
    MERCHANT_PAYMENTS_CLIENT_ID: env.MERCHANT_PAYMENTS_CLIENT_ID ?? "",
    MERCHANT_PAYMENTS_CLIENT_SECRET: env.MERCHANT_PAYMENTS_CLIENT_SECRET ?? "",
  }
}

/** @param {number} port */
const originOf = (port) => `http://localhost:${port}`

module.exports = { readOptions, originOf }
