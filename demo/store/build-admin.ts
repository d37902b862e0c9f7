/**
 * Builds the store's admin, the plugins' extensions in it, to where the compiled store serves it.
 * `medusa build` does the same, and compiles the store again for it.
 */
import { join } from "node:path"
import type { ConfigModule } from "@medusajs/framework/types"
import { getConfigFile, getResolvedPlugins } from "@medusajs/framework/utils"
import { build } from "@medusajs/admin-bundler"

async function buildAdmin(): Promise<void> {
  const { configModule } = await getConfigFile<ConfigModule>(__dirname, "medusa-config")
  if (!configModule) throw new Error("The compiled store has no medusa-config.")
  const extensions = (await getResolvedPlugins(__dirname, configModule, false)).map(
    ({ admin }) => admin,
  )
  const of = (type: "local" | "package") =>
    extensions.flatMap((admin) => (admin?.type === type ? [admin.resolve] : []))
  await build({
    ...configModule.admin,
    sources: of("local"),
    plugins: of("package"),
    outDir: join(__dirname, "public/admin"),
  })
}

buildAdmin().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
