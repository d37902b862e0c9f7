// @ts-check
/**
 * Serves the built storefront: its files, the products' pictures, the settings it reads at run
 * time, and its first page for every other address, because its pages are routes of its own.
 */
const fs = require("node:fs")
const http = require("node:http")
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")

/** @type {Record<string, string>} */
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
}
const LOOPBACKS = ["127.0.0.1", "::1"]

/**
 * @param {object} storefront
 * @param {number} storefront.port
 * @param {string} storefront.root the checkout
 * @param {Record<string, unknown>} storefront.config what `/config.json` answers
 * @returns {Promise<{ close: () => Promise<void> }>}
 */
async function serveStorefront({ port, root, config }) {
  const site = path.join(root, "demo/storefront/dist")
  const pictures = path.join(root, "demo/store")
  /** @type {http.RequestListener} */
  const answer = (request, response) => {
    const place = pathOf(request.url ?? "/")
    if (request.method !== "GET" && request.method !== "HEAD") return send(response, 405)
    if (place === null) return send(response, 400)
    if (place === "/config.json") return send(response, 200, ".json", JSON.stringify(config))
    const file = fileAt(place.startsWith("/static/") ? pictures : site, place)
    if (file) return send(response, 200, path.extname(file), fs.readFileSync(file))
    // A missing script answered with a page would only fail later, and stranger.
    if (path.extname(place)) return send(response, 404)
    return send(response, 200, ".html", fs.readFileSync(path.join(site, "index.html")))
  }
  /** @type {(http.Server | null)[]} */
  const servers = []
  for (const host of LOOPBACKS) servers.push(await listen(http.createServer(answer), host, port))
  const close = async () => {
    for (const server of servers) {
      server?.closeAllConnections()
      await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
    }
  }
  return { close }
}

/**
 * @param {http.Server} server
 * @param {string} host
 * @param {number} port
 * @returns {Promise<http.Server | null>} null where the machine lacks that address
 */
function listen(server, host, port) {
  return new Promise((resolve, reject) => {
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") return resolve(null)
      reject(new StartFailure(`Port ${port}, which the storefront wants, is taken.`))
    })
    server.listen({ host, port }, () => resolve(server))
  })
}

/**
 * @param {string} url
 * @returns {string | null} null for what can't be read
 */
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, "http://localhost").pathname)
  } catch {
    return null
  }
}

/**
 * @param {string} folder
 * @param {string} place
 * @returns {string | null} a file within the folder, never outside it
 */
function fileAt(folder, place) {
  const file = path.join(folder, path.normalize(place))
  if (!file.startsWith(folder + path.sep) || place.includes("\0")) return null
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null
}

/**
 * @param {http.ServerResponse} response
 * @param {number} status
 * @param {string} [extension]
 * @param {string | Buffer} [body]
 */
function send(response, status, extension = ".html", body = "") {
  response.writeHead(status, {
    "content-type": TYPES[extension] ?? "application/octet-stream",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-cache",
  })
  response.end(response.req.method === "HEAD" ? undefined : body)
}

module.exports = { serveStorefront }
