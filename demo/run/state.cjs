// @ts-check
/**
 * The files of a running demo in its folder: `state.json`, which is there exactly while all of it
 * answers; `run.pid`, which keeps a second run out; `secrets.json`, made once and kept.
 */
const { randomBytes } = require("node:crypto")
const fs = require("node:fs")
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")
const { isDemo } = require("./process.cjs")

/**
 * URLs are origins without a trailing slash (`admin_url` with its path); null is what was not
 * started. `ready_ms` counts from the start of the process.
 * @typedef {object} State
 * @property {string | null} storefront_url
 * @property {string} store_api_url
 * @property {string} publishable_key
 * @property {string} admin_url
 * @property {string} admin_email
 * @property {string} admin_password
 * @property {string | null} simulator_url
 * @property {string} database_url
 * @property {number} ready_ms
 */

/** @param {string} dir */
const stateFile = (dir) => path.join(dir, "state.json")

/**
 * By rename: whoever waits for the file never reads half of it.
 * @param {string} file
 * @param {unknown} value
 */
function writeWhole(file, value) {
  const draft = `${file}.${process.pid}.draft`
  fs.writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(draft, file)
}

/**
 * @param {string} dir
 * @param {State} state
 */
const writeState = (dir, state) => writeWhole(stateFile(dir), state)

/**
 * @param {string} dir
 * @returns {State | null} null while not all of the demo answers
 */
function readState(dir) {
  const text = readOrNull(stateFile(dir))
  return text === null ? null : JSON.parse(text)
}

/** @param {string} dir */
const removeState = (dir) => fs.rmSync(stateFile(dir), { force: true })

/**
 * Keeps a second run out of the folder. A run that was killed left its mark: it no longer counts.
 * @param {string} dir
 * @returns {{ wasKilled: boolean, release: () => void }} whether the last run could not clean up
 * @throws {StartFailure} when a run is on
 */
function claimFolder(dir) {
  fs.mkdirSync(dir, { recursive: true })
  const file = path.join(dir, "run.pid")
  const holder = runningDemo(dir)
  if (holder) {
    throw new StartFailure(
      `A demo already runs from ${dir} (process ${holder}). Stop it first, or give this one a ` +
        "folder and ports of its own: DEMO_DIR=.demo/second PORT_BASE=4200 npm start",
    )
  }
  const wasKilled = fs.existsSync(file)
  fs.writeFileSync(file, String(process.pid))
  return { wasKilled, release: () => fs.rmSync(file, { force: true }) }
}

/**
 * @param {string} dir
 * @returns {number | null} the process that runs the demo from this folder
 */
function runningDemo(dir) {
  const pid = Number(readOrNull(path.join(dir, "run.pid")))
  if (!pid || pid === process.pid) return null
  return isDemo(pid) ? pid : null
}

/**
 * What must outlive a restart: sessions signed and credentials encrypted yesterday are read today.
 * @param {string} dir
 * @returns {{ jwt: string, cookie: string, encryptionKey: string }} the key is 32 bytes in base64
 */
function secretsOf(dir) {
  const file = path.join(dir, "secrets.json")
  const kept = readOrNull(file)
  if (kept) {
    try {
      const { jwt, cookie, encryptionKey } = JSON.parse(kept)
      if (jwt && cookie && encryptionKey) return { jwt, cookie, encryptionKey }
    } catch {
      throw new StartFailure(`${file} can't be read. npm run demo:reset makes a new one.`)
    }
  }
  const secrets = {
    jwt: randomBytes(32).toString("hex"),
    cookie: randomBytes(32).toString("hex"),
    encryptionKey: randomBytes(32).toString("base64"),
  }
  writeWhole(file, secrets)
  return secrets
}

/** @param {string} file */
function readOrNull(file) {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return null
  }
}

module.exports = {
  claimFolder,
  readState,
  removeState,
  runningDemo,
  secretsOf,
  writeState,
  writeWhole,
}
