// @ts-check
/** The demo's database: an embedded PostgreSQL of its own, or the one that DATABASE_URL names. */
const fs = require("node:fs")
const path = require("node:path")
const { StartFailure } = require("./failure.cjs")
const { startPostgres } = require("./postgres.cjs")

const DATABASE = "demo"
const NO_SUCH_DATABASE = "3D000"

/**
 * @param {import("./options.cjs").Options} options
 * @returns {Promise<{ url: string, exited: Promise<void>, stop: () => Promise<void> }>}
 */
async function startDatabase({ dir, ports, databaseUrl }) {
  if (databaseUrl) {
    await ensureDatabase(databaseUrl)
    return { url: databaseUrl, exited: new Promise(() => {}), stop: async () => {} }
  }
  const logFile = path.join(dir, "logs/postgres.log")
  const log = fs.createWriteStream(logFile)
  try {
    const postgres = await startPostgres({
      dir: path.join(dir, "postgres"),
      port: ports.postgres,
      log: (line) => log.write(`${line}\n`),
    })
    const url = await postgres.createDatabase(DATABASE)
    return { url, exited: postgres.exited, stop: postgres.stop }
  } catch (error) {
    throw new StartFailure(error instanceof Error ? error.message : String(error), { logFile })
  }
}

/**
 * Makes the database where the server is there and only the database is missing.
 * @param {string} url
 */
async function ensureDatabase(url) {
  const code = await query(url, "select 1")
  if (code === null) return
  if (code !== NO_SUCH_DATABASE) {
    throw new StartFailure(`The PostgreSQL that DATABASE_URL names can't be used: ${code}.`)
  }
  const maintenance = new URL(url)
  const name = decodeURIComponent(maintenance.pathname.slice(1))
  maintenance.pathname = "/postgres"
  const made = await query(maintenance.href, `create database "${name.replaceAll('"', '""')}"`)
  if (made !== null) {
    throw new StartFailure(`DATABASE_URL names no database, and making "${name}" failed: ${made}.`)
  }
}

/**
 * @param {string} connectionString
 * @param {string} sql
 * @returns {Promise<string | null>} null when it went well, else PostgreSQL's or the network's code
 */
async function query(connectionString, sql) {
  const { Client } = require("pg")
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await client.query(sql)
    return null
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code)
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}

module.exports = { startDatabase }
