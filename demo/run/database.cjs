// @ts-check
/**
 * The demo's database: an embedded PostgreSQL of its own, or the one that DATABASE_URL names.
 *
 * Ours remembers for which build it was brought up to date, as a comment on itself, so that the
 * mark can't outlive the tables; that saves the store half of its start. Of somebody else's
 * database nothing is assumed: it is brought up to date every time.
 */
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")
const { startPostgres } = require("./postgres.cjs")

const DATABASE = "demo"
const NO_SUCH_DATABASE = "3D000"
const CONNECT_WITHIN_MS = 10_000

/** @param {string} dir the demo's */
const databaseDir = (dir) => path.join(dir, "postgres")

/**
 * @typedef {object} Database
 * @property {string} url
 * @property {Promise<unknown>} exited
 * @property {() => Promise<void>} stop
 * @property {(print: string) => Promise<boolean>} isUpToDate
 * @property {(print: string) => Promise<void>} markUpToDate
 *
 * @param {import("./options.cjs").Options} options
 * @returns {Promise<Database>}
 */
async function startDatabase({ dir, ports, databaseUrl }) {
  if (databaseUrl) {
    await ensureDatabase(databaseUrl)
    return {
      url: databaseUrl,
      exited: new Promise(() => {}),
      stop: async () => {},
      isUpToDate: async () => false,
      markUpToDate: async () => {},
    }
  }
  const logFile = path.join(dir, "logs/postgres.log")
  try {
    const { createDatabase, exited, stop } = await startPostgres({
      dir: databaseDir(dir),
      port: ports.postgres,
      logFile,
    })
    const url = await createDatabase(DATABASE)
    return { url, exited, stop, ...upToDateMark(url) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const advice = "With DATABASE_URL the demo uses a PostgreSQL of your own."
    throw new StartFailure(`${message}\n${advice}`, { logFile })
  }
}

/** @param {string} url */
function upToDateMark(url) {
  const read = "select shobj_description(oid, 'pg_database') from pg_database where datname = "
  return {
    /** @param {string} print */
    isUpToDate: async (print) => {
      const { rows } = await query(url, `${read} current_database()`)
      return rows[0]?.shobj_description === print
    },
    /** @param {string} print a hash: nothing in it needs quoting */
    markUpToDate: async (print) => {
      await query(url, `comment on database "${DATABASE}" is '${print}'`)
    },
  }
}

/**
 * Makes the database where the server is there and only the database is missing.
 * @param {string} url
 */
async function ensureDatabase(url) {
  const code = await failureOf(query(url, "select 1"))
  if (code === null) return
  if (code !== NO_SUCH_DATABASE) {
    throw new StartFailure(`The PostgreSQL that DATABASE_URL names can't be used: ${code}.`)
  }
  const maintenance = new URL(url)
  const name = decodeURIComponent(maintenance.pathname.slice(1))
  maintenance.pathname = "/postgres"
  const create = `create database "${name.replaceAll('"', '""')}"`
  const failed = await failureOf(query(maintenance.href, create))
  if (failed !== null) {
    throw new StartFailure(
      `DATABASE_URL names no database, and making "${name}" failed: ${failed}.`,
    )
  }
}

/**
 * @param {string} connectionString
 * @param {string} sql
 * @returns {Promise<import("pg").QueryResult<Record<string, unknown>>>}
 */
async function query(connectionString, sql) {
  const { Client } = require("pg")
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS })
  try {
    await client.connect()
    return await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * @param {Promise<unknown>} asked
 * @returns {Promise<string | null>} null when it went well, else PostgreSQL's or the network's code
 */
async function failureOf(asked) {
  try {
    await asked
    return null
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code)
    return error instanceof Error ? error.message : String(error)
  }
}

module.exports = { databaseDir, startDatabase }
