// @ts-check
/**
 * What the environment says about the demo, read once and checked: ports, folders, what to leave
 * out, what to replace. Nothing else in the demo reads these variables.
 */
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")

const DEFAULT_PORT_BASE = 4100
const DEFAULT_CLUSTER_PORT_BASE = 4200
/** Servers, then workers: each of them listens, because Medusa answers `/health` in each. */
const FIRST_MEMBER_PORT = 10
const MEMBERS_MAX = 20
const LAST_PORT = 65_535
const PORTS_IN_USE = FIRST_MEMBER_PORT + MEMBERS_MAX
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
 * @property {Cluster | null} cluster several processes of the store; null: the store is one
 *
 * @typedef {object} Cluster
 * @property {string} redisUrl
 * @property {readonly number[]} serverPorts of the processes that answer shops and admins
 * @property {readonly number[]} workerPorts of the processes that do the jobs
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root
 * @param {{ isDistributed?: boolean }} [kind]
 * @returns {Options}
 */
function readOptions(env, root, { isDistributed = false } = {}) {
  const base = readPortBase(env.PORT_BASE, isDistributed)
  return {
    root,
    dir: path.resolve(root, env.DEMO_DIR || (isDistributed ? ".demo/distributed" : ".demo")),
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
    cluster: isDistributed ? readCluster(env, base + FIRST_MEMBER_PORT) : null,
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {number} firstPort
 * @returns {Cluster}
 */
function readCluster(env, firstPort) {
  if (!readDatabaseUrl(env.DATABASE_URL) || !env.REDIS_URL) throw new StartFailure(SERVICES_MISSING)
  if (!/^rediss?:$/.test(URL.canParse(env.REDIS_URL) ? new URL(env.REDIS_URL).protocol : "")) {
    throw new StartFailure("REDIS_URL must look like redis://user:password@host:6379/0.")
  }
  const servers = readCount(env, "DEMO_SERVERS", 2)
  const workers = readCount(env, "DEMO_WORKERS", 3)
  const ports = Array.from({ length: servers + workers }, (_, at) => firstPort + at)
  return {
    redisUrl: env.REDIS_URL,
    serverPorts: ports.slice(0, servers),
    workerPorts: ports.slice(servers),
  }
}

/** What a person does who has neither. */
const SERVICES_MISSING = [
  "The distributed demo needs a PostgreSQL and a Redis: set DATABASE_URL and REDIS_URL. From packages:",
  "  Debian, Ubuntu   sudo apt install postgresql redis-server",
  "                   sudo -u postgres createuser --superuser $USER",
  "  macOS            brew install postgresql@16 redis && brew services start postgresql@16 redis",
  "Then: DATABASE_URL=postgres://localhost/merchant_payments REDIS_URL=redis://localhost/1 \\",
  "  npm run demo:distributed",
  "The database is made where it is missing. Redis keeps queues and locks in the numbered database.",
].join("\n")

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @param {number} usual
 */
function readCount(env, name, usual) {
  const count = Number(env[name] || usual)
  if (Number.isInteger(count) && count > 0 && count <= MEMBERS_MAX / 2) return count
  throw new StartFailure(`${name} must be a whole number from 1 to ${MEMBERS_MAX / 2}.`)
}

/**
 * @param {string | undefined} text
 * @param {boolean} isDistributed
 */
function readPortBase(text, isDistributed) {
  if (!text) return isDistributed ? DEFAULT_CLUSTER_PORT_BASE : DEFAULT_PORT_BASE
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
