// @ts-check
/**
 * An embedded PostgreSQL for the demo and for the tests: started, asked for databases, stopped.
 *
 * It listens on `localhost` only, never on a Unix socket, and runs in a process group of its own,
 * so that Ctrl-C reaches the caller alone and the caller decides the order of things. It dies with
 * the caller, also when the caller is killed: a shell waits at the other end of a pipe and stops
 * the server when the pipe closes. A cluster that was killed comes up again by itself.
 *
 * CommonJS, so that plain Node and jest can both load it. Linux and macOS.
 */
const { randomBytes } = require("node:crypto")
const { spawn } = require("node:child_process")
const { once } = require("node:events")
const fs = require("node:fs")
const net = require("node:net")
const os = require("node:os")
const path = require("node:path")
const files = require("./postgres-files.cjs")

const HOST = "localhost"
const USER = "postgres"
const START_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 15_000
/** A killed server's children need a moment to notice; until then the cluster counts as in use. */
const START_TRIES = 20
const BETWEEN_TRIES_MS = 250

/**
 * What a throw-away cluster may lose: everything. It is several times faster for it.
 */
const THROW_AWAY_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
}

/**
 * @typedef {object} StartOptions
 * @property {string} [dir] keeps the cluster (as root the data lives elsewhere, keyed by this
 *   path; `forgetPostgres(dir)` removes all of it). Left out: a throw-away cluster in the system's
 *   temporary folder, without fsync, removed by `stop()`.
 * @property {number} [port] 0, the default, is any free one.
 * @property {(line: string) => void} [log] gets the server's own log, line by line.
 *
 * @typedef {object} Postgres
 * @property {string} url of the maintenance database, `postgres://user:password@localhost:port/postgres`
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 * @property {(name: string) => string} urlOf the address of one database
 * @property {(name: string, options?: { template?: string }) => Promise<string>} createDatabase
 *   answers its address; one that exists is left as it is. `template` is cloned; nobody may be
 *   connected to it meanwhile.
 * @property {(name: string) => Promise<void>} dropDatabase also disconnects whoever uses it
 * @property {Promise<void>} exited resolves when the server is gone, asked or not
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a cluster, making it first if there is none.
 * @param {StartOptions} [options]
 * @returns {Promise<Postgres>}
 */
async function startPostgres({ dir, port = 0, log = () => {} } = {}) {
  const owner = files.serverOwner()
  const native = files.runnableBinaries(owner)
  const { data, folder } = dir
    ? { data: files.dataFolder(dir, owner), folder: null }
    : files.throwAwayFolder(owner)
  const cluster = { native, data, owner, log, thrownAway: folder }
  const forget = () => folder && fs.rmSync(folder, { recursive: true, force: true })
  try {
    const password = await ensureCluster(cluster)
    return describe(await startServer({ ...cluster, port }), password, forget)
  } catch (error) {
    forget()
    throw error
  }
}

/**
 * @typedef {{ native: string, data: string, owner: files.Owner | null,
 *   thrownAway: string | null, log: (line: string) => void }} Cluster `thrownAway` is the folder to
 *   remove with it
 * @typedef {{ port: number, exited: Promise<void>, stop: () => Promise<void> }} Server
 */

/**
 * Makes the cluster unless it is there, and answers its password.
 * @param {Cluster} cluster
 */
async function ensureCluster({ native, data, owner, log, thrownAway }) {
  const passwordFile = path.join(data, "..", "password")
  const kept = files.readOrNull(passwordFile)
  if (kept && fs.existsSync(path.join(data, "PG_VERSION"))) return kept

  // An initdb that was cut short leaves a folder that neither starts nor can be initialised.
  for (const entry of fs.readdirSync(data)) fs.rmSync(path.join(data, entry), { recursive: true })
  const password = randomBytes(12).toString("hex")
  const draft = `${passwordFile}.draft`
  fs.writeFileSync(draft, password, { mode: 0o600 })
  if (owner) fs.chownSync(draft, owner.uid, owner.gid)
  const args = [
    `--pgdata=${data}`,
    `--username=${USER}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    `--pwfile=${draft}`,
    ...(thrownAway ? ["--no-sync"] : []),
  ]
  const initdb = spawn(path.join(native, "bin", "initdb"), args, { ...owner, ...surroundings() })
  eachLine(initdb.stdout, log)
  eachLine(initdb.stderr, log)
  const [code] = await once(initdb, "close")
  if (code !== 0) throw new Error(`PostgreSQL could not make its data folder ${data} (initdb).`)
  // Last: the password file is the sign that the cluster is whole.
  fs.renameSync(draft, passwordFile)
  return password
}

/**
 * @param {Cluster & { port: number }} options
 * @returns {Promise<Server>}
 */
async function startServer({ port, ...cluster }) {
  for (let tries = 1; ; tries += 1) {
    await dropStaleLock(cluster.data)
    const chosen = port || (await freePort())
    try {
      return await startOnce(cluster, chosen)
    } catch (error) {
      const text = String(error)
      const isRaced = port === 0 && text.includes("Address already in use")
      const isStillClosing = /pre-existing shared memory|lock file/.test(text)
      if (tries >= START_TRIES || !(isRaced || isStillClosing)) throw error
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS))
    }
  }
}

/**
 * @param {Cluster} cluster
 * @param {number} port
 * @returns {Promise<Server>}
 */
async function startOnce({ native, data, owner, log, thrownAway }, port) {
  const settings = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: "",
    lc_messages: "C",
    ...(thrownAway ? THROW_AWAY_SETTINGS : {}),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(path.join(native, "bin", "postgres"), ["-D", data, ...args], {
    ...owner,
    ...surroundings(),
    stdio: ["ignore", "ignore", "pipe"],
  })
  /** @type {string[]} */
  const said = []
  const isReady = new Promise((resolve) => {
    eachLine(server.stderr, (line) => {
      log(line)
      said.push(line)
      if (line.includes("ready to accept connections")) resolve(true)
    })
  })
  const exited = once(server, "close").then(
    () => {},
    () => {},
  )
  const isUp = await within(START_WITHIN_MS, Promise.race([isReady, exited.then(() => false)]))
  if (!isUp) {
    server.kill("SIGQUIT")
    throw new Error(`PostgreSQL did not start on port ${port}:\n${said.slice(-8).join("\n")}`)
  }
  const watcher = stopWithCaller(server.pid ?? 0, owner, thrownAway)
  const watcherGone = once(watcher, "exit").catch(() => {})
  exited.then(() => watcher.kill("SIGKILL"))

  const stop = async () => {
    server.kill("SIGINT")
    const isGone = exited.then(() => true)
    if (!(await within(STOP_WITHIN_MS, isGone))) server.kill("SIGQUIT")
    await exited
    await watcherGone
  }
  return { port, exited, stop }
}

/**
 * A shell that outlives a killed caller just long enough to stop the server, and to remove a
 * cluster that nobody will miss.
 * @param {number} pid
 * @param {files.Owner | null} owner
 * @param {string | null} thrownAway
 */
function stopWithCaller(pid, owner, thrownAway) {
  const script = [
    'read -r _; kill -INT "$0"; [ -n "$1" ] || exit 0',
    'while kill -0 "$0" 2>/dev/null; do sleep 1; done',
    'rm -rf "$1"',
  ].join("; ")
  const watcher = spawn("/bin/sh", ["-c", script, String(pid), thrownAway ?? ""], {
    ...owner,
    ...surroundings(),
    stdio: ["pipe", "ignore", "ignore"],
  })
  watcher.on("error", () => {})
  watcher.stdin?.on("error", () => {})
  return watcher
}

/**
 * The lock file of a server that was killed names a process that is gone or, worse, that is
 * somebody else's by now; PostgreSQL would refuse to start for the latter. A server that really
 * runs on this folder lost its caller: it is stopped.
 * @param {string} data
 */
async function dropStaleLock(data) {
  const lock = path.join(data, "postmaster.pid")
  const pid = Number(files.readOrNull(lock)?.split("\n")[0])
  if (!pid) return
  // Only Linux tells what a process is; elsewhere PostgreSQL's own check has to do.
  if (process.platform !== "linux") return
  const isOurs = () => (files.readOrNull(`/proc/${pid}/cmdline`) ?? "").includes(`\0${data}\0`)
  if (isOurs()) {
    process.kill(pid, "SIGINT")
    for (let waited = 0; isOurs() && waited < STOP_WITHIN_MS; waited += BETWEEN_TRIES_MS) {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS))
    }
    return
  }
  fs.rmSync(lock, { force: true })
}

/**
 * @param {Server} server
 * @param {string} password
 * @param {() => void} forget
 * @returns {Postgres}
 */
function describe({ port, exited, stop }, password, forget) {
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
  /** @param {string} name */
  const quoted = (name) => `"${name.replaceAll('"', '""')}"`
  return {
    url: urlOf("postgres"),
    host: HOST,
    port,
    user: USER,
    password,
    urlOf,
    createDatabase: async (name, { template = "template1" } = {}) => {
      try {
        await run(`create database ${quoted(name)} template ${quoted(template)}`)
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "42P04")) throw error
      }
      return urlOf(name)
    },
    dropDatabase: (name) => run(`drop database if exists ${quoted(name)} with (force)`),
    exited,
    stop: async () => {
      await stop()
      forget()
    },
  }
}

/** What every child gets: its own process group, a folder its user can read, no locale of ours. */
function surroundings() {
  const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }
  return { cwd: "/", detached: true, env: environment }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = net.createServer().listen(0, HOST)
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address ? address.port : 0
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>} undefined when the time was up first
 */
async function within(ms, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  const first = await Promise.race([promise, limit])
  clearTimeout(timer)
  return first
}

/**
 * @param {import("node:stream").Readable} stream
 * @param {(line: string) => void} take
 */
function eachLine(stream, take) {
  require("node:readline").createInterface({ input: stream }).on("line", take)
}

module.exports = { startPostgres, forgetPostgres: files.forgetPostgres }
