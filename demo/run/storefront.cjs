// @ts-check
/**
 * Serves the built storefront: its files, the products' pictures, and its first page, which holds
 * the settings, for every other address, because its pages are routes of its own.
 *
 * Scripts and styles are named by their content, so a browser keeps them for good; all else it
 * asks about each time, and is answered 304. Text goes out compressed.
 */
const crypto = require("node:crypto")
const fs = require("node:fs")
const http = require("node:http")
const path = require("node:path")
const zlib = require("node:zlib")
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
const FOR_GOOD = "public, max-age=31536000, immutable"
const SETTINGS_PLACE = "</head>"
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
  const settings = JSON.stringify(config)
  const page = () => {
    const script = settings.replaceAll("<", "\\u003c")
    const html = fs.readFileSync(path.join(site, "index.html"), "utf8")
    const tag = `<script type="application/json" id="settings">${script}</script>`
    return html.replace(SETTINGS_PLACE, () => tag + SETTINGS_PLACE)
  }
  /** @type {http.RequestListener} */
  const answer = (request, response) => {
    const place = pathOf(request.url ?? "/")
    if (request.method !== "GET" && request.method !== "HEAD") return send(response, 405)
    if (place === null) return send(response, 400)
    if (place === "/config.json") return send(response, 200, ".json", settings)
    if (place === "/index.html") return send(response, 200, ".html", page())
    const file = fileAt(place.startsWith("/static/") ? pictures : site, place)
    if (file) {
      const isNamedByContent = file.startsWith(path.join(site, "assets") + path.sep)
      const kept = isNamedByContent ? FOR_GOOD : "no-cache"
      return send(response, 200, path.extname(file), fs.readFileSync(file), kept)
    }
    // A missing script answered with a page would only fail later, and stranger.
    if (path.extname(place)) return send(response, 404)
    return send(response, 200, ".html", page())
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
 * @param {string} [kept] `Cache-Control`
 */
function send(response, status, extension = ".html", body = "", kept = "no-cache") {
  const { method, headers } = response.req
  const tag = `W/"${crypto.createHash("sha256").update(body).digest("base64url").slice(0, 24)}"`
  const type = TYPES[extension] ?? "application/octet-stream"
  const isText = /^(text|application\/json|image\/svg)/.test(type)
  const encoding = isText ? encodingFor(headers["accept-encoding"]) : null
  response.setHeader("cache-control", kept)
  response.setHeader("etag", tag)
  if (isText) response.setHeader("vary", "accept-encoding")
  if (status === 200 && headers["if-none-match"] === tag) {
    response.writeHead(304).end()
    return
  }
  const sent = encoding ? compressed(body, tag, encoding) : body
  if (encoding) response.setHeader("content-encoding", encoding)
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(sent) })
  response.end(method === "HEAD" ? undefined : sent)
}

/** @typedef {"br" | "gzip"} Encoding */

/**
 * @param {string | string[] | undefined} accepted
 * @returns {Encoding | null}
 */
function encodingFor(accepted) {
  const names = String(accepted ?? "").split(/[\s,;]+/)
  return names.includes("br") ? "br" : names.includes("gzip") ? "gzip" : null
}

/** @type {Map<string, Buffer>} */
const COMPRESSED = new Map()

/**
 * Once for each content: the best compression takes its time.
 * @param {string | Buffer} body
 * @param {string} tag
 * @param {Encoding} encoding
 * @returns {Buffer}
 */
function compressed(body, tag, encoding) {
  const key = encoding + tag
  const known = COMPRESSED.get(key)
  if (known) return known
  const made = encoding === "br" ? zlib.brotliCompressSync(body) : zlib.gzipSync(body, { level: 9 })
  COMPRESSED.set(key, made)
  return made
}

module.exports = { serveStorefront }
