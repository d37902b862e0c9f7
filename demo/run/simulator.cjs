// @ts-check
/** The gateway simulator as a service of the demo. Its book is kept between starts. */
const path = require("node:path")
const { untilItAnswers } = require("./answers.cjs")
const { howItEnded, plainEnvironment, startService } = require("./child.cjs")
const { StartFailure } = require("./failure.cjs")
const { originOf } = require("./options.cjs")

const ANSWERS_WITHIN_MS = 30_000
const CLIENT = { clientId: "simulator-client", clientSecret: "simulator-secret" }

/**
 * @typedef {object} Simulator
 * @property {string} url
 * @property {Record<string, string>} gateway the environment of a store that uses it
 * @property {import("./child.cjs").Service} service
 *
 * @param {import("./options.cjs").Options} options
 * @param {AbortSignal} signal
 * @returns {Promise<Simulator>}
 */
async function startSimulator({ root, dir, ports, wire }, signal) {
  const url = originOf(ports.simulator)
  const logFile = path.join(dir, "logs/simulator.log")
  const flags = {
    port: ports.simulator,
    book: path.join(dir, "simulator-book.json"),
    "client-id": CLIENT.clientId,
    "client-secret": CLIENT.clientSecret,
    // A shopper can take back a prompt that no payer has answered.
    "prompted-source": "ACTIVE",
    wire,
  }
  const service = startService({
    argv: [
      path.join(root, "packages/simulator/bin/merchant-payments-simulator.cjs"),
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    cwd: root,
    logFile,
    env: plainEnvironment(process.env),
  })
  const hasEnded = service.exited.then((exit) => {
    throw new StartFailure(`The simulator ended (${howItEnded(exit)}).`, { logFile })
  })
  const answers = untilItAnswers(url, {
    who: "simulator",
    withinMs: ANSWERS_WITHIN_MS,
    signal,
    logFile,
  })
  try {
    await Promise.race([answers, hasEnded])
  } catch (error) {
    await service.stop()
    throw error
  } finally {
    // Later ends are the run's business, which watches the service itself.
    hasEnded.catch(() => {})
    answers.catch(() => {})
  }
  const gateway = {
    MERCHANT_PAYMENTS_BASE_URL: url,
    MERCHANT_PAYMENTS_CLIENT_ID: CLIENT.clientId,
    MERCHANT_PAYMENTS_CLIENT_SECRET: CLIENT.clientSecret,
  }
  return { url, gateway, service }
}

module.exports = { CLIENT, startSimulator }
