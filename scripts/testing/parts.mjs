// @ts-check
/** What `npm test` consists of, and how many files of each kind run at a time on two cores. */
import path from "node:path"
import { fileURLToPath } from "node:url"

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..")
/** Caches and results of runs. A new install removes it. */
export const CACHE = "node_modules/.cache/merchant-payments"

const bin = (/** @type {string} */ place) => path.join(ROOT, "node_modules", place)
export const JEST = bin("jest/bin/jest.js")

/** @param {string} tool */
const cachedIn = (tool) => ["--cache", "--cache-location", `${CACHE}/${tool}`]

/**
 * The commands of a check run side by side.
 * @type {Record<string, (files?: readonly string[]) => string[][]>} given files: those alone
 */
export const CHECKS = {
  lint: (files = ["."]) => [
    [bin("eslint/bin/eslint.js"), "--max-warnings", "0", "--no-warn-ignored"].concat(
      cachedIn("eslint"),
      ["--cache-strategy", "content", ...files],
    ),
    [bin("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "--ignore-unknown"].concat(
      cachedIn("prettier"),
      files,
    ),
    [bin("knip/bin/knip.js"), "--no-progress"],
  ],
  // One process: what several projects read is parsed once.
  types: () => [
    [
      bin("typescript/bin/tsc"),
      "-b",
      // Without the tests, where a literal may stand for an id.
      "tsconfig.product.json",
      "tsconfig.check.json",
      "src/admin/tsconfig.json",
      "demo/run/tsconfig.json",
      "demo/storefront/tsconfig.json",
      "packages/checkout/tsconfig.product.json",
      "packages/checkout/tsconfig.check.json",
    ],
  ],
}

/**
 * @typedef {object} Suite
 * @property {number} workers one where files share a build, more where they wait for servers
 * @property {boolean} [isPlayedTwice] a failed test is played once more
 * @property {RegExp} [runs] what the suite runs as a process instead of importing it
 *
 * @type {Record<string, Suite>}
 */
export const SUITES = {
  unit: { workers: 2 },
  simulator: { workers: 2 },
  contract: { workers: 1, runs: /^contract\// },
  faults: { workers: 2 },
  modules: { workers: 2, runs: /^src\/modules\/.*\/migrations\// },
  proofs: { workers: 2 },
  http: {
    workers: 3,
    isPlayedTwice: true,
    runs: /^(src\/(?!admin\/)|packages\/(gateway|simulator)\/|contract\/|demo\/(run|store)\/|package)/,
  },
  browser: {
    workers: 2,
    isPlayedTwice: true,
    runs: /^(src\/|packages\/|contract\/|demo\/|package)/,
  },
  package: { workers: 1, runs: /./ },
}

export const PARTS = [...Object.keys(CHECKS), ...Object.keys(SUITES)]
/** The longest first, so that none of them is left alone at the end. */
export const ORDER = ["http", "browser", "modules", "lint", "package", "types", "proofs"]
export const PARTS_AT_ONCE = 2
