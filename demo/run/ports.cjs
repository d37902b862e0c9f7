// @ts-check
/**
 * Whether a port is free on every address that `localhost` may mean. A program that holds it on one
 * of them would answer some of our shoppers.
 */
const net = require("node:net")
const { setTimeout: pause } = require("node:timers/promises")
const { StartFailure } = require("./failure.cjs")

const LOOPBACKS = ["127.0.0.1", "::1"]
const ANSWERS_WITHIN_MS = 1_000
const LOOK_AGAIN_MS = 250

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
async function isPortFree(port) {
  for (const host of LOOPBACKS) {
    if (!(await canListen(host, port)) || (await answers(host, port))) return false
  }
  return true
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>} true as well where the machine lacks that address
 */
function canListen(host, port) {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve(error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"),
    )
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/**
 * Some systems let two programs listen on one port, one on all addresses and one on this.
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: ANSWERS_WITHIN_MS })
    /** @param {boolean} isThere */
    const done = (isThere) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once("connect", () => done(true))
    socket.once("error", () => done(false))
    socket.once("timeout", () => done(false))
  })
}

/**
 * @param {Record<string, number>} wanted who wants which port
 * @param {{ waitMs: number }} options how long what holds a port may take to let go
 * @returns {Promise<void>}
 * @throws {StartFailure} naming each port that is taken and what wants it
 */
async function requirePorts(wanted, { waitMs }) {
  const until = performance.now() + waitMs
  for (;;) {
    const taken = []
    for (const [who, port] of Object.entries(wanted)) {
      if (!(await isPortFree(port))) taken.push(`Port ${port}, which the ${who} wants, is taken.`)
    }
    if (taken.length === 0) return
    if (performance.now() >= until) {
      const advice = "Stop what listens there, or move all ports: PORT_BASE=4200 npm start"
      throw new StartFailure(`${taken.join("\n")}\n${advice}`)
    }
    await pause(LOOK_AGAIN_MS)
  }
}

module.exports = { isPortFree, requirePorts }
