// @ts-check
/**
 * The Medusa store as a service of the demo.
 *
 * NODE_ENV is neither `production`, with which the plugin accepts no plain http towards the
 * gateway, nor `development`, with which Medusa would compile the admin anew for every visitor.
 */
const path = require("node:path")
const { STORE_BUILD } = require("./build.cjs")
const { howItEnded, plainEnvironment, startService } = require("./child.cjs")
const { StartFailure } = require("./failure.cjs")
const { originOf } = require("./options.cjs")

/** The first start makes some 150 tables, on whatever machine this is. */
const READY_WITHIN_MS = 240_000
const ADMIN = { email: "admin@example.com", password: "demo-password" }

/**
 * @typedef {object} Needs
 * @property {string} databaseUrl
 * @property {boolean} isUpToDate whether the database has this build's tables
 * @property {{ jwt: string, cookie: string, encryptionKey: string }} secrets
 * @property {Record<string, string>} gateway
 *
 * @typedef {object} Started the service at once, so that it can be stopped while it starts
 * @property {import("./child.cjs").Service} service
 * @property {Promise<{ publishableKey: string }>} isReady
 *
 * @param {import("./options.cjs").Options} options
 * @param {Needs} needs
 * @param {{ name: string, env: Record<string, string> }} [member] one process of several
 * @returns {Started}
 */
function startStore(
  { root, dir, ports, orderPlacement, feeBearer, isWithout, otherOrigins, timeZone },
  { databaseUrl, isUpToDate, secrets, gateway },
  { name, env } = { name: "store", env: {} },
) {
  const storefront = originOf(ports.storefront)
  const store = originOf(ports.store)
  const logFile = path.join(dir, `logs/${name}.log`)
  const cwd = path.join(root, STORE_BUILD)
  const service = startService({
    argv: [path.join(cwd, "serve.js")],
    cwd,
    logFile,
    env: {
      ...plainEnvironment(process.env),
      NODE_ENV: "demo",
      MEDUSA_DISABLE_TELEMETRY: "true",
      PORT: String(ports.store),
      DATABASE_URL: databaseUrl,
      ...(isUpToDate ? { DEMO_IS_UP_TO_DATE: "1" } : {}),
      JWT_SECRET: secrets.jwt,
      COOKIE_SECRET: secrets.cookie,
      STORE_CORS: storefront,
      ADMIN_CORS: store,
      AUTH_CORS: [storefront, store].join(","),
      DEMO_ADMIN_EMAIL: ADMIN.email,
      DEMO_ADMIN_PASSWORD: ADMIN.password,
      DEMO_ORDER_PLACEMENT: orderPlacement,
      DEMO_FEE_BEARER: feeBearer ?? "",
      ...gateway,
      MERCHANT_PAYMENTS_ENCRYPTION_KEY: isWithout.key ? "" : secrets.encryptionKey,
      MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: [storefront, otherOrigins ?? []].flat().join(","),
      MERCHANT_PAYMENTS_PUBLIC_URL: store,
      MERCHANT_PAYMENTS_TIME_ZONE: timeZone ?? "",
      ...env,
    },
  })
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const isReady = new Promise((resolve, reject) => {
    service.onMessage((message) => {
      if (isReadyMessage(message)) resolve({ publishableKey: message.publishableKey })
    })
    service.exited.then((exit) =>
      reject(new StartFailure(`The ${name} ended (${howItEnded(exit)}).`, { logFile })),
    )
    timer = setTimeout(
      () => reject(new StartFailure(`The ${name} took too long to start.`, { logFile })),
      READY_WITHIN_MS,
    )
  }).finally(() => clearTimeout(timer))
  return { service, isReady }
}

/**
 * @param {unknown} message
 * @returns {message is { isReady: true, publishableKey: string }}
 */
function isReadyMessage(message) {
  return (
    typeof message === "object" &&
    message !== null &&
    "isReady" in message &&
    "publishableKey" in message &&
    typeof message.publishableKey === "string"
  )
}

module.exports = { ADMIN, startStore }
