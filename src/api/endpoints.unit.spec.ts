/** Medusa loads a route by its file: each has an endpoint, and each endpoint a file. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { ADMIN, ADMIN_ROOT, PUBLIC, STORE, STORE_ROOT } from "./endpoints"
import { PUBLIC_ROOT } from "./endpoints/public"

function routesInFiles(): string[] {
  return readdirSync(__dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .flatMap((file) => {
      const parts = path.dirname(file).split(path.sep)
      const address = parts.map((part) => part.replace(/^\[(.+)\]$/, ":$1")).join("/")
      const source = readFileSync(path.join(__dirname, file), "utf8")
      const methods = source.matchAll(/export (?:const|async function|function) ([A-Z]+)\b/g)
      return [...methods].map(([, method]) => `${method ?? ""} /${address}`)
    })
}

const described = (root: string, endpoints: object) =>
  Object.keys(endpoints).map((key) => key.replace(" ", ` ${root}`))

it("each route has an endpoint, and each endpoint a route", () => {
  const endpoints = [
    ...described(ADMIN_ROOT, ADMIN),
    ...described(STORE_ROOT, STORE),
    ...described(PUBLIC_ROOT, PUBLIC),
  ]
  expect(routesInFiles().sort()).toEqual(endpoints.sort())
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
