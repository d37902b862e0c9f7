/**
 * A store whose configuration has one half of the plugin, or a half twice: it says so when it starts,
 * in words of the configuration.
 */
import fs from "node:fs"
import path from "node:path"
import { useHarness } from "./support/harness"
import { useStoreFolder } from "./support/medusa-exec"
import { freePort, startStoreProcess } from "./support/store-process"

const harness = useHarness()
const store = useStoreFolder(harness, "configurations")

const PLUGIN = `plugins: [{ resolve: "medusa-plugin-merchant-payments" }],`
const PROVIDER = `{ resolve: "medusa-plugin-merchant-payments/providers/merchant-payments", id: "merchant" },`
const providers = (entries: string) =>
  `modules: [{ resolve: "@medusajs/medusa/payment", options: { providers: [${entries}] } }],`

/** What the store prints until it is up, or has ended. */
async function printed(
  parts: string,
): Promise<{ readonly isUp: boolean; readonly output: string }> {
  fs.writeFileSync(
    path.join(store.folder, "medusa-config.js"),
    `const { defineConfig } = require("@medusajs/framework/utils")
     const { DATABASE_URL, JWT_SECRET: jwtSecret, COOKIE_SECRET: cookieSecret } = process.env
     const http = { storeCors: "", adminCors: "", authCors: "", jwtSecret, cookieSecret }
     module.exports = defineConfig({
       admin: { disable: true },
       projectConfig: { databaseUrl: DATABASE_URL, http },
       ${parts}
     })`,
  )
  try {
    const started = await startStoreProcess({
      folder: store.folder,
      databaseUrl: await store.databaseUrl(),
      port: await freePort(),
      env: { DEMO_IS_UP_TO_DATE: "1" },
    })
    await started.kill()
    return { isUp: true, output: started.output() }
  } catch (error) {
    return { isUp: false, output: String(error) }
  }
}

it.each([
  ["the plugin alone", PLUGIN, "its payment providers are not, so no shopper can choose them"],
  ["the providers alone", providers(PROVIDER), "lists the payment providers without the plugin"],
])("a store with %s starts, and its log says what is missing", async (_name, parts, sentence) => {
  const { isUp, output } = await printed(parts)
  expect({ isUp, output: isUp ? "" : output }).toEqual({ isUp: true, output: "" })
  expect(output).toContain(sentence)
})

it("a store with the providers twice doesn't start, and says where they are listed", async () => {
  const { isUp, output } = await printed(PLUGIN + providers(PROVIDER + PROVIDER))
  expect(isUp).toBe(false)
  expect(output).toContain("medusa-config lists the payment providers twice")
})

it("a store with both halves by hand starts, and a command of Medusa says nothing of settings", async () => {
  const { isUp, output } = await printed(PLUGIN + providers(PROVIDER))
  expect(isUp).toBe(true)
  expect(output).not.toContain("medusa-config lists")
  expect(output).toContain("merchant payments: No payments are offered: set")
  // A shell in production without the store's variables, as an operator has it.
  const user = ["user", "--email", "operator@example.com", "--password", "a-long-password"]
  const ended = await store.medusa({ NODE_ENV: "production", LOG_LEVEL: "info" }, ...user)
  expect([ended.code, ended.out + ended.error]).toEqual([
    0,
    expect.not.stringContaining("merchant payments:"),
  ])
})
