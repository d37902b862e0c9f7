// @ts-check
/** What a change can reach: files by their imports, and suites that run the product by its sources. */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { ROOT, SUITES } from "./parts.mjs"

/**
 * @param {string} commit
 * @returns {string[]} the files that differ from it, also those that git doesn't know yet
 */
export function changedFiles(commit) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean)
  return [
    ...git("diff", "--name-only", "--no-renames", commit),
    ...git("ls-files", "--others", "--exclude-standard"),
  ]
}

/**
 * @param {string} suite
 * @param {readonly string[]} files that changed
 * @returns {string[]} arguments for Jest
 */
export function reachedBy(suite, files) {
  const isRun = files.some((file) => SUITES[suite]?.runs?.test(file) && !/\.spec\.tsx?$/.test(file))
  if (isRun) return []
  const there = files.filter((file) => fs.existsSync(path.join(ROOT, file)))
  return ["--passWithNoTests", "--findRelatedTests", ...(there.length > 0 ? there : ["none"])]
}

/** @param {readonly string[]} files that changed */
export const lintable = (files) =>
  files.filter((file) => fs.existsSync(path.join(ROOT, file)) && !/package-lock/.test(file))
