// @ts-check
/**
 * A small proxy before several servers: each request goes to the next one in turn, streams
 * included. A server that takes no connection is passed over, and nothing is sent twice: only a
 * request that has reached no server goes to another.
 */
const http = require("node:http")
const { StartFailure } = require("../run/failure.cjs")

const LOOPBACKS = ["127.0.0.1", "::1"]
const BODY_MAX = 1_000_000

/**
 * @param {number} port
 * @param {() => readonly number[]} serversNow the ports of the servers that may be asked now
 * @returns {Promise<{ close: () => Promise<void> }>}
 */
async function startProxy(port, serversNow) {
  let turn = 0
  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  const answer = async (request, response) => {
    const body = await wholeBody(request)
    if (!body) return void response.writeHead(413).end()
    const ports = serversNow()
    turn += 1
    const order = ports.map((_, at) => ports[(turn + at) % ports.length])
    for (const one of order) if (one && (await pass(request, response, body, one))) return
    response.writeHead(503, { "retry-after": "1", "content-type": "text/plain" })
    response.end("No server of the store answers just now.\n")
  }
  /** @type {http.Server[]} */
  const listening = []
  for (const host of LOOPBACKS) {
    const server = http.createServer((request, response) => void answer(request, response))
    // Streams stay open; the servers behind end what hangs.
    server.requestTimeout = 0
    const isThere = await listens(server, host, port)
    if (isThere) listening.push(server)
  }
  return {
    async close() {
      for (const server of listening) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/**
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 * @param {Buffer} body
 * @param {number} port
 * @returns {Promise<boolean>} false: that server took no connection, so it has seen nothing
 */
function pass(request, response, body, port) {
  return new Promise((resolve) => {
    const { method, url, headers, socket } = request
    const onward = http.request({
      host: "localhost",
      port,
      method,
      path: url,
      agent: false,
      // As the last proxy before a store does: what a caller wrote there is not believed.
      headers: { ...headers, "x-forwarded-for": socket.remoteAddress, connection: "close" },
    })
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on("error", () => response.destroy())
      resolve(true)
    })
    onward.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (isUnreached(error)) return resolve(false)
      if (response.headersSent) response.destroy()
      else response.writeHead(502, { "content-type": "text/plain" }).end("The server went away.\n")
      resolve(true)
    })
    response.on("close", () => onward.destroy())
    onward.end(body)
  })
}

/** @param {NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }} error */
function isUnreached(error) {
  const all = error.errors ?? [error]
  return all.every(({ code }) => code === "ECONNREFUSED")
}

/**
 * @param {http.IncomingMessage} request
 * @returns {Promise<Buffer | null>} null: it is too long
 */
async function wholeBody(request) {
  const pieces = []
  let size = 0
  try {
    for await (const piece of request) {
      size += piece.length
      if (size > BODY_MAX) return null
      pieces.push(piece)
    }
  } catch {
    // The caller went away; what is sent on would be half a request.
    return null
  }
  return Buffer.concat(pieces)
}

/**
 * @param {http.Server} server
 * @param {string} host
 * @param {number} port
 * @returns {Promise<boolean>} false where the machine lacks that address
 */
function listens(server, host, port) {
  return new Promise((resolve, reject) => {
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") return resolve(false)
      reject(new StartFailure(`Port ${port}, which the proxy wants, is taken.`))
    })
    server.listen({ host, port }, () => resolve(true))
  })
}

module.exports = { startProxy }
