// @ts-check
/** The command line of `npm test`. */
import { randomInt } from "node:crypto"
import { parseArgs } from "node:util"
import { PARTS } from "./parts.mjs"

const SEED_MAX = 2 ** 31 - 1

/**
 * @typedef {object} Options
 * @property {string[]} parts
 * @property {number} seed of the drawn cases, and of the order of files where it is drawn
 * @property {boolean} isShuffled
 * @property {string | undefined} changedSince a commit; only what its changes reach is played
 * @property {boolean} isList
 */

/**
 * @param {string[]} argv
 * @returns {Options}
 * @throws {Error} whose message says what is wrong with the command line
 */
export function readOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      list: { type: "boolean", default: false },
      seed: { type: "string" },
      shuffle: { type: "boolean", default: false },
      changed: { type: "boolean", default: false },
      since: { type: "string" },
    },
  })
  const unknown = positionals.filter((name) => !PARTS.includes(name))
  if (unknown.length > 0) {
    throw new Error(`There is no ${unknown.join(", ")}; there are ${PARTS.join(", ")}.`)
  }
  return {
    parts: PARTS.filter((name) => positionals.length === 0 || positionals.includes(name)),
    seed: seedFrom(values.seed),
    isShuffled: values.shuffle,
    changedSince: values.since ?? (values.changed ? "HEAD" : undefined),
    isList: values.list,
  }
}

/** @param {string | undefined} text */
function seedFrom(text) {
  if (text === undefined) return randomInt(1, SEED_MAX)
  const seed = Number(text)
  if (!Number.isInteger(seed) || seed < 1 || seed > SEED_MAX) {
    throw new Error(`--seed takes a whole number from 1 to ${SEED_MAX}, not "${text}".`)
  }
  return seed
}
