// @ts-check
/**
 * Makes the links of a package's pages absolute while it is packed, and relative again afterwards:
 * all of a README, because npm's page has no other files beside it, and of every other page those
 * that lead to a file which is not packed. Links lead to the tag of the version. What it wrote it
 * can take back without a copy. A pack that was cut off leaves absolute links: the next one takes
 * them back first, whatever version they lead to, and so does `relative`.
 *
 * In a package's folder, by its `prepack` and `postpack`: `node readme-links.mjs absolute|relative`.
 */
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { addressOf } from "./repository.mjs"

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..")

/** The target of a link or a picture, with what stands before it. */
const TARGET = /(!?\[[^[\]]*\]\(|<(?:img|a)\b[^>]*? (?:src|href)=")([^)"\s]+)/g
/** A picture within a link: its link is found once the picture is set. */
const LINK_OF_PICTURE = /(\[!\[[^[\]]*\]\([^)]*\)\]\()([^)"\s]+)/g

/**
 * @typedef {object} Place
 * @property {string} address of the repository
 * @property {string} tag of the version
 * @property {string} folder of the page in the repository, "" for the root
 * @property {(file: string) => boolean} isBeside whether the reader of the page has a file of the
 *   repository beside it
 */

/**
 * @param {string} text
 * @param {Place} place
 * @returns {string} the text with absolute links
 */
function absolute(text, place) {
  return mapped(text, (target, isPicture) => {
    if (/^([a-z]+:|#)/.test(target)) return target
    if (place.isBeside(path.posix.join(place.folder, target.replace(/#.*/, "")))) return target
    return new URL(target, baseOf(place, isPicture)).href
  })
}

/**
 * @param {string} text
 * @param {Place} place
 * @returns {string} the text with the relative links that {@link absolute} was given
 */
function relative(text, place) {
  const [name = ""] = place.tag.split("@")
  return mapped(text, (target, isPicture) => {
    if (!target.startsWith(`${place.address}/`)) return target
    const base = new URL(baseOf(place, isPicture))
    const { pathname, hash } = new URL(target)
    const ofThis = pathname.replace(
      new RegExp(`/(raw|blob)/${name}@[^/]+/`),
      (_, kind) => `/${kind}/${place.tag}/`,
    )
    return path.posix.relative(base.pathname, ofThis) + decodeURIComponent(hash)
  })
}

/**
 * @param {string} text with relative links, or with absolute ones that a pack left that was cut off
 * @param {"absolute" | "relative"} way
 * @param {Place} place
 */
function linked(text, way, place) {
  const taken = relative(text, place)
  return way === "absolute" ? absolute(taken, place) : taken
}

/**
 * In one step, so that a run that is cut off leaves a whole file.
 * @param {string} file
 * @param {string} text
 */
function replace(file, text) {
  const next = `${file}.${process.pid}.tmp`
  fs.writeFileSync(next, text)
  fs.renameSync(next, file)
}

/**
 * @param {Place} place
 * @param {boolean} isPicture
 */
function baseOf({ address, tag, folder }, isPicture) {
  const end = folder ? `${folder}/` : ""
  return `${address}/${isPicture ? "raw" : "blob"}/${tag}/${end}`
}

/**
 * @param {string} text
 * @param {(target: string, isPicture: boolean) => string} change
 */
function mapped(text, change) {
  const blocks = text.match(/^```[^]*?^```/gm) ?? []
  const parts = text.split(/^```[^]*?^```/gm).map((prose) =>
    prose
      .replace(TARGET, (_, start, target) => {
        return start + change(target, start.startsWith("!") || start.startsWith("<img"))
      })
      .replace(LINK_OF_PICTURE, (_, start, target) => start + change(target, false)),
  )
  return parts.map((prose, at) => prose + (blocks[at] ?? "")).join("")
}

/** @param {string} folder an absolute one, of the package */
function pagesOf(folder) {
  /** @type {{ files?: string[] }} */
  const { files = [] } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))
  const inside = (/** @type {string} */ file) => path.posix.relative(homeOf(folder), file)
  const isPacked = (/** @type {string} */ file) =>
    ["README*.md", "LICENSE", ...files].some((pattern) => isIn(pattern, inside(file)))
  const found = ["", ...files.map((pattern) => path.posix.dirname(pattern))]
    .filter((one) => fs.existsSync(path.join(folder, one)))
    .flatMap((one) => fs.readdirSync(path.join(folder, one)).map((name) => path.join(one, name)))
    .filter((file) => file.endsWith(".md") && isPacked(path.posix.join(homeOf(folder), file)))
  return [...new Set(found)].map((file) => ({
    file: path.join(folder, file),
    isBeside: /^README/.test(file) ? () => false : isPacked,
  }))
}

/**
 * @param {string} pattern of the manifest's `files`: a file, a folder, or names with a star
 * @param {string} file
 */
function isIn(pattern, file) {
  const exact = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*")
  return new RegExp(`^${exact}(/|$)`).test(file)
}

const homeOf = (/** @type {string} */ folder) =>
  path.relative(ROOT, folder).replaceAll(path.sep, "/")

/** @param {string} file an absolute one */
function placeOf(file) {
  const root = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"))
  return {
    address: addressOf(root),
    tag: `${root.name}@${root.version}`,
    folder: homeOf(path.dirname(file)),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const way = process.argv[2] === "absolute" ? "absolute" : "relative"
  for (const { file, isBeside } of pagesOf(process.cwd())) {
    const text = fs.readFileSync(file, "utf8")
    const changed = linked(text, way, { ...placeOf(file), isBeside })
    if (changed !== text) replace(file, changed)
  }
}
