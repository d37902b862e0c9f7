/** Each route that Medusa loads has an endpoint, and each endpoint a route. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { asValue } from "@medusajs/framework/awilix"
import { configManager } from "@medusajs/framework/config"
import { ApiLoader } from "@medusajs/framework/http"
import { logger } from "@medusajs/framework/logger"
import { createMedusaContainer } from "@medusajs/framework/utils"
import { ADMIN, ADMIN_ROOT, PUBLIC, STORE, STORE_ROOT } from "./endpoints"
import { PUBLIC_ROOT } from "./endpoints/public"

/** What Medusa's own loader hands to its server, which here only lets itself be handed things. */
async function routesOfMedusa(): Promise<string[]> {
  const loaded: string[] = []
  ApiLoader.traceRoute = (handler, { method, route }) => {
    loaded.push(`${method} ${route}`)
    return handler
  }
  configManager.loadConfig({ projectConfig: {}, baseDir: __dirname })
  const container = createMedusaContainer()
  container.register({ logger: asValue(logger) })
  type Server = ConstructorParameters<typeof ApiLoader>[0]["app"]
  const app: Server = new Proxy({} as Server, { get: () => () => app })
  await new ApiLoader({ app, sourceDir: __dirname, container }).load()
  return loaded
}

const described = (root: string, endpoints: object) =>
  Object.keys(endpoints).map((key) => key.replace(" ", ` ${root}`))

it("each route has an endpoint, and each endpoint a route", async () => {
  const endpoints = [
    ...described(ADMIN_ROOT, ADMIN),
    ...described(STORE_ROOT, STORE),
    ...described(PUBLIC_ROOT, PUBLIC),
  ]
  expect((await routesOfMedusa()).sort()).toEqual(endpoints.sort())
})

it("a route's file names its own endpoint", () => {
  const named = readdirSync(__dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .flatMap((file) => {
      const source = readFileSync(path.join(__dirname, file), "utf8")
      const folder = path.dirname(file).replace(/\[(\w+)\]/g, ":$1")
      return [...source.matchAll(/export const ([A-Z]+) = \w+\(\s*"([A-Z]+ [^"]+)"/g)].map(
        ([, method, key = ""]) => [`${method ?? ""} ${folder}`, key] as const,
      )
    })
  expect(named.length).toBeGreaterThan(40)
  const isOwn = ([own, key]: readonly [string, string]) => {
    const [method = "", address = ""] = key.split(" ")
    return own.startsWith(`${method} `) && own.endsWith(`merchant-payments/${address}`)
  }
  expect(named.filter((one) => !isOwn(one))).toEqual([])
})
