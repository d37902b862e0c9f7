// @ts-check
/**
 * Everything that is built before the demo runs, each only when it is stale: plugin, simulator and
 * storefront side by side; then the plugin is packed and unpacked into the store, as its customers
 * get it; then the store, then its admin.
 *
 * The plugin's own packages are found upwards, in the checkout's node_modules, so there is one copy
 * of Medusa. Two demos from one checkout share what is built; one builds at a time.
 */
const fs = require("node:fs")
const path = require("node:path")
const { runCommand } = require("./child.cjs")
const { fingerprint, isFresh, stamp, stampFolder } = require("./fingerprint.cjs")
const { npm } = require("./install.cjs")
const { takeLock } = require("./lock.cjs")

const PLUGIN = "medusa-plugin-merchant-payments"
const GATEWAY = "packages/gateway"
const KIT = "packages/checkout"
const SIMULATOR = "packages/simulator"
const STORE = "demo/store"
const STORE_BUILD = `${STORE}/.medusa/server`
const INSTALLED_PLUGIN = `${STORE}/node_modules/${PLUGIN}`
const MEDUSA = "node_modules/@medusajs/cli/cli.js"
const TSC = "node_modules/typescript/bin/tsc"
const VITE = "node_modules/vite/bin/vite.js"
const SHARED_INPUTS = ["package.json", "package-lock.json", "tsconfig.json"]

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} inputs
 * @property {string} [alsoOf] an input that is an output of an earlier step
 * @property {string} output what comes out
 * @property {(run: Run) => Promise<void>} build
 *
 * @typedef {(argv: [string, ...string[]], cwd?: string) => Promise<void>} Run
 *
 * @typedef {object} Context
 * @property {string} root
 * @property {string} logs
 * @property {(line: string) => void} say
 * @property {AbortSignal} signal
 */

/**
 * @param {Context & { hasStorefront: boolean }} context
 * @returns {Promise<void>}
 */
async function buildAll({ hasStorefront, ...context }) {
  const release = await takeLock(path.join(stampFolder(context.root), "lock"), context)
  try {
    const { root } = context
    const shop = async () => {
      await ensureBuilt(checkoutKit(root), context)
      await ensureBuilt(storefront(root), context)
    }
    const first = [ensureBuilt(plugin(root), context), ensureBuilt(simulator(root), context)]
    await allSettled(hasStorefront ? [...first, shop()] : first)
    const steps = [installedPlugin(root), store(root), admin(root)]
    for (const step of steps) {
      await ensureBuilt(step, context)
    }
  } finally {
    release()
  }
}

/**
 * The plugin alone, for what needs no store.
 * @param {Context} context
 * @returns {Promise<void>}
 */
async function buildPlugin(context) {
  await buildUnderLock([plugin(context.root)], context)
}

/**
 * The gateway's client alone.
 * @param {Context} context
 * @returns {Promise<void>}
 */
async function buildGateway(context) {
  await buildUnderLock([gatewayClient(context.root)], context)
}

/**
 * The simulator alone.
 * @param {Context} context
 * @returns {Promise<void>}
 */
async function buildSimulator(context) {
  await buildUnderLock([simulator(context.root)], context)
}

/**
 * The checkout kit alone.
 * @param {Context} context
 * @returns {Promise<void>}
 */
async function buildCheckout(context) {
  await buildUnderLock([checkoutKit(context.root)], context)
}

/**
 * @param {Step[]} steps in their order
 * @param {Context} context
 */
async function buildUnderLock(steps, context) {
  const release = await takeLock(path.join(stampFolder(context.root), "lock"), context)
  try {
    for (const step of steps) await ensureBuilt(step, context)
  } finally {
    release()
  }
}

/**
 * @param {Step} step
 * @param {Context} context
 */
async function ensureBuilt({ name, inputs, alsoOf, output, build }, context) {
  const { root, logs, say, signal } = context
  const built = alsoOf ? fingerprint(root, [alsoOf], { isOutput: true }) : ""
  const print = fingerprint(root, inputs) + built
  const key = name.replaceAll(" ", "-")
  // With what came out, in case somebody else built it since, from other sources.
  const printWithOutput = () => print + fingerprint(root, [output], { isOutput: true })
  if (isFresh(root, key, printWithOutput())) return

  say(`Building the ${name} …`)
  const since = performance.now()
  stamp(root, key, null)
  await build((argv, cwd = root) =>
    runCommand({
      name: `Building the ${name}`,
      argv,
      cwd,
      logFile: path.join(logs, `build-${key}.log`),
      env: { ...process.env, NODE_ENV: "production", MEDUSA_DISABLE_TELEMETRY: "true" },
      signal,
    }),
  )
  stamp(root, key, printWithOutput())
  say(`Built the ${name} in ${((performance.now() - since) / 1000).toFixed(1)} s`)
}

/**
 * @param {string} root
 * @returns {Step}
 */
const gatewayClient = (root) => ({
  name: "gateway client",
  inputs: [
    ...SHARED_INPUTS,
    ...["src", "package.json", "tsconfig.json"].map((name) => `${GATEWAY}/${name}`),
  ],
  output: `${GATEWAY}/dist`,
  build: (run) => run([...npm(), "run", "build"], path.join(root, GATEWAY)),
})

/**
 * @param {string} root
 * @returns {Step}
 */
const plugin = (root) => ({
  name: "plugin",
  // The gateway's client is compiled into it.
  inputs: [...SHARED_INPUTS, "src", `${GATEWAY}/src`],
  output: ".medusa/server",
  build: (run) => run([process.execPath, path.join(root, MEDUSA), "plugin:build"]),
})

/**
 * @param {string} root
 * @returns {Step}
 */
const simulator = (root) => ({
  name: "simulator",
  inputs: [
    ...SHARED_INPUTS,
    ...["src", "package.json", "tsconfig.json"].map((name) => `${SIMULATOR}/${name}`),
    "contract",
  ],
  output: `${SIMULATOR}/dist`,
  build: (run) => run([...npm(), "run", "build"], path.join(root, SIMULATOR)),
})

/**
 * @param {string} root
 * @returns {Step}
 */
const checkoutKit = (root) => ({
  name: "checkout kit",
  inputs: [
    ...["src", "package.json", "tsconfig.json", "tsconfig.cjs.json"].map(
      (name) => `${KIT}/${name}`,
    ),
    "package-lock.json",
  ],
  output: `${KIT}/dist`,
  build: (run) => run([...npm(), "run", "build"], path.join(root, KIT)),
})

/**
 * @param {string} root
 * @returns {Step}
 */
const storefront = (root) => ({
  name: "storefront",
  inputs: [
    ...["package-lock.json", "demo/storefront", `${KIT}/style.css`],
    `${SIMULATOR}/card-adapter.mjs`,
  ],
  alsoOf: `${KIT}/dist`,
  output: "demo/storefront/dist",
  build: (run) =>
    run([process.execPath, path.join(root, VITE), "build"], path.join(root, "demo/storefront")),
})

/**
 * @param {string} root
 * @returns {Step}
 */
const installedPlugin = (root) => ({
  name: "plugin's package",
  inputs: ["package.json", "README.md", "docs", "LICENSE", "contract", "examples"],
  alsoOf: ".medusa/server",
  output: INSTALLED_PLUGIN,
  build: (run) => install(run, root, path.join(root, INSTALLED_PLUGIN)),
})

/**
 * A package as npm would deliver it: packed, then unpacked where the store looks for it.
 * @param {Run} run
 * @param {string} from the package's folder
 * @param {string} target
 */
async function install(run, from, target) {
  const packed = path.join(path.dirname(target), ".packed")
  fs.rmSync(packed, { recursive: true, force: true })
  fs.mkdirSync(packed, { recursive: true })
  await run([...npm(), "pack", "--ignore-scripts", "--pack-destination", packed], from)
  const tarball = fs.readdirSync(packed).find((name) => name.endsWith(".tgz")) ?? ""
  await run(["tar", "-xzf", path.join(packed, tarball), "-C", packed])
  fs.rmSync(target, { recursive: true, force: true })
  fs.renameSync(path.join(packed, "package"), target)
  fs.rmSync(packed, { recursive: true, force: true })
}

/**
 * @param {string} root
 * @returns {Step}
 */
const store = (root) => ({
  name: "store",
  inputs: [...SHARED_INPUTS, STORE],
  alsoOf: `${INSTALLED_PLUGIN}/.medusa/server/src/config.d.ts`,
  output: `${STORE_BUILD}/src`,
  build: async (run) => {
    const target = path.join(root, STORE_BUILD)
    // All but the admin, which takes longest and is a step of its own.
    for (const entry of fs.existsSync(target) ? fs.readdirSync(target) : []) {
      if (entry !== "public") fs.rmSync(path.join(target, entry), { recursive: true })
    }
    await run([process.execPath, path.join(root, TSC), "-p", `${STORE}/tsconfig.json`])
    fs.cpSync(path.join(root, STORE, "static"), path.join(target, "static"), { recursive: true })
  },
})

/**
 * @param {string} root
 * @returns {Step}
 */
const admin = (root) => ({
  name: "admin",
  inputs: ["package-lock.json", `${STORE}/medusa-config.ts`, `${STORE}/build-admin.ts`],
  alsoOf: `${INSTALLED_PLUGIN}/.medusa/server/src/admin`,
  output: `${STORE_BUILD}/public/admin`,
  build: (run) =>
    run([process.execPath, path.join(root, STORE_BUILD, "build-admin.js")], path.join(root, STORE)),
})

/**
 * Waits for all, then fails with the first failure: nothing may still write to a folder that the
 * next start builds into.
 * @param {Promise<void>[]} promises
 */
async function allSettled(promises) {
  for (const result of await Promise.allSettled(promises)) {
    if (result.status === "rejected") throw result.reason
  }
}

/**
 * Changes whenever what the store runs changes, and with it perhaps its tables.
 * @param {string} root
 * @returns {string}
 */
const storePrint = (root) =>
  fingerprint(
    root,
    ["plugin's-package", "store"].map((name) => `${stampsIn(root)}/${name}`),
  )

/** @param {string} root */
const stampsIn = (root) => path.relative(root, stampFolder(root))

module.exports = {
  buildAll,
  buildCheckout,
  buildGateway,
  buildPlugin,
  buildSimulator,
  STORE_BUILD,
  storePrint,
}
