// @ts-check
/**
 * Code of the shop's own, loaded into the store's process: told by the test, it calls a module or a
 * workflow of Medusa's from inside, past every route and past the guard that stands before them.
 */

/** @typedef {{ call: number, module?: string, method?: string, workflow?: string, hears?: string, holds?: string, letsGo?: boolean, finds?: string, validates?: string, verifies?: string, refuses?: string, args: unknown[] }} Told */

const { createRequire } = require("node:module")
const path = require("node:path")

process.on("message", (/** @type {Told} */ told) => {
  void act(told).then(
    (result) => process.send?.({ answers: told.call, result: JSON.stringify(result) }),
    (error) => process.send?.({ answers: told.call, error: String(error?.message ?? error) }),
  )
})

let letGo = () => {}

/** The workflow never ends for this input, as with a hook of the shop that waits for a service. */
function hold(/** @type {any} */ engine, /** @type {string} */ workflow, /** @type {string} */ id) {
  const run = engine.run.bind(engine)
  const isOver = new Promise((resolve) => (letGo = () => resolve(undefined)))
  engine.run = async (/** @type {string} */ name, /** @type {any} */ options) => {
    if (name === workflow && options?.input?.id === id) await isOver
    return run(name, options)
  }
}

/** What the shop's own hook says of a cart, by the cart's id. */
const refused = new Map()

/** A hook of the shop, as it stands in a file below `src/workflows/hooks`. */
function validate(/** @type {string} */ exported) {
  // From the store's folder, as a file of the shop would: another copy would be another workflow.
  const load = createRequire(path.join(process.cwd(), "shop.js"))
  const { MedusaError } = load("@medusajs/framework/utils")
  const workflows = {
    ...load("@medusajs/medusa/core-flows"),
    ...load("medusa-plugin-merchant-payments/workflows"),
  }
  workflows[exported].hooks.validate(async (/** @type {any} */ { input, cart }) => {
    if (input.id !== cart.id || !refused.has(cart.id)) return
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, refused.get(cart.id))
  })
}

/** The shop's captcha, as in `examples/store/verify-the-captcha.ts`. */
function verify(/** @type {string} */ url) {
  const load = createRequire(path.join(process.cwd(), "shop.js"))
  const { StepResponse } = load("@medusajs/framework/workflows-sdk")
  const { cardCaptchaWorkflow } = load("medusa-plugin-merchant-payments/workflows")
  cardCaptchaWorkflow.hooks.verify(async (/** @type {any} */ { captcha_token: response }) => {
    const body = new URLSearchParams({ secret: "of the shop", response })
    const asked = await fetch(url, { method: "POST", body })
    return new StepResponse((await asked.json()).success)
  })
}

/** Payments as a file of the shop would find them. */
function find(/** @type {string} */ exported, /** @type {unknown[]} */ args) {
  const load = createRequire(path.join(process.cwd(), "shop.js"))
  const { container } = require("@medusajs/framework")
  return load("medusa-plugin-merchant-payments/payments")[exported](container, ...args)
}

/** @param {Told} told */
async function act(told) {
  const { module, method, workflow, hears, holds, letsGo, finds, validates, verifies, refuses } =
    told
  const { args } = told
  const { container } = require("@medusajs/framework")
  if (verifies !== undefined) return verify(verifies)
  if (validates !== undefined) return validate(validates)
  if (refuses !== undefined) return void refused.set(refuses, String(args[0]))
  if (holds !== undefined) return hold(container.resolve("workflows"), holds, String(args[0]))
  if (letsGo) return letGo()
  if (finds !== undefined) return find(finds, args)
  if (hears !== undefined) {
    const subscriberId = `heard-by-the-test-${hears}`
    const tell = async (/** @type {{ name: string, data: unknown }} */ { name, data }) =>
      void process.send?.({ heard: { name, data } })
    container.resolve("event_bus").subscribe(hears, tell, { subscriberId })
    return
  }
  if (workflow) {
    const { result } = await container.resolve("workflows").run(workflow, { input: args[0] })
    return result
  }
  return container.resolve(module)[method ?? ""](...args)
}
