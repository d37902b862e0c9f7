/**
 * The store as one process: brings the database up to date, serves, seeds what is missing, and
 * tells the process that started it once shoppers can come.
 *
 * Medusa's own commands do each of these in a process of its own, and each boots the whole store.
 * Here the same functions run one after the other, so the store boots once.
 */
import { once } from "node:events"
import http from "node:http"
import { container } from "@medusajs/framework"
import { MedusaModule } from "@medusajs/framework/modules-sdk"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { migrate } from "@medusajs/medusa/commands/db/migrate"
import start from "@medusajs/medusa/commands/start"
import { initializeContainer } from "@medusajs/medusa/loaders/index"
import seed from "./src/scripts/seed"

async function bringDatabaseUpToDate(directory: string): Promise<void> {
  const found = await initializeContainer(directory)
  // No literal: Medusa 2.21.0 does not know the two options of the search, and 2.21.2 demands them.
  const options = {
    directory,
    skipLinks: false,
    // Both would boot a process of their own, for data of older versions and an index not used
    // here.
    skipScripts: true,
    skipSearch: true,
    executeAllLinks: true,
    executeSafeLinks: false,
    executeAllSearch: false,
    executeSafeSearch: false,
    container: found,
    logger: found.resolve(ContainerRegistrationKeys.LOGGER),
  }
  await migrate(options)
  // Modules loaded for their migrations only would be taken for loaded by the boot that follows.
  MedusaModule.clearInstances()
}

async function serve(): Promise<void> {
  const directory = __dirname
  if (process.env.DEMO_IS_UP_TO_DATE !== "1") await bringDatabaseUpToDate(directory)
  const started = await start({
    directory,
    port: Number(process.env.PORT),
    host: "localhost",
    types: false,
  })
  // Medusa answers before its server listens, and a seeded store has nothing else to wait for.
  const server = started?.server
  if (server instanceof http.Server && !server.listening) await once(server, "listening")
  // Of several processes one alone fills the store, and before the others start.
  const isSeeded = process.env.DEMO_IS_SEEDED === "1"
  const { publishableKey } = isSeeded ? { publishableKey: "" } : await seed({ container, args: [] })
  process.send?.({ isReady: true, publishableKey })
}

serve().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
