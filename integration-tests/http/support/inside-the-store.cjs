// @ts-check
/**
 * Code of the shop's own, loaded into the store's process: told by the test, it calls a module or a
 * workflow of Medusa's from inside, past every route and past the guard that stands before them.
 */

/** @typedef {{ call: number, module?: string, method?: string, workflow?: string, hears?: string, args: unknown[] }} Told */

process.on("message", (/** @type {Told} */ told) => {
  void act(told).then(
    (result) => process.send?.({ answers: told.call, result: JSON.stringify(result) }),
    (error) => process.send?.({ answers: told.call, error: String(error?.message ?? error) }),
  )
})

/** @param {Told} told */
async function act({ module, method, workflow, hears, args }) {
  const { container } = require("@medusajs/framework")
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
