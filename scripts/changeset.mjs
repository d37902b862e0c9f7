// @ts-check
/**
 * The command line of changesets, which knows workspaces only: here the root is a package as well,
 * and as a workspace of itself npm would link it into its own node_modules.
 */
import { createRequire } from "node:module"

const require = createRequire(import.meta.url)
const cli = require.resolve("@changesets/cli/bin.js")
const workspaces = createRequire(cli)("@manypkg/get-packages")
const { getPackages } = workspaces

/** @param {string} folder */
workspaces.getPackages = async (folder) => {
  const { root, packages, ...rest } = await getPackages(folder)
  return { ...rest, root, packages: [root, ...packages] }
}

require(cli)
