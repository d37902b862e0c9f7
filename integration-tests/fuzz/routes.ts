/** Every route of ours, and every route of Medusa's that we guard, as they stand in the source. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const API = path.resolve(__dirname, "../../src/api")

export type Route = {
  readonly method: string
  /** `/admin/merchant-payments/operations/:id` */
  readonly address: string
  /** Medusa's own route: only what our guard before it answers is ours. */
  readonly isGuarded: boolean
}

export const nameOf = ({ method, address }: Route): string => `${method} ${address}`

export function routesOfOurs(): readonly Route[] {
  return readdirSync(API, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .sort()
    .flatMap((file) => {
      const parts = path.dirname(file).split(path.sep)
      const address = `/${parts.map((part) => part.replace(/^\[(.+)\]$/, ":$1")).join("/")}`
      const source = readFileSync(path.join(API, file), "utf8")
      const methods = source.matchAll(/export (?:const|async function|function) ([A-Z]+)\b/g)
      return [...methods].map(([, method = ""]) => ({ method, address, isGuarded: false }))
    })
}

/** By the matchers of our middlewares; below `*` lies one that Medusa has. */
export function guardedRoutes(): readonly Route[] {
  const source = readFileSync(path.join(API, "middlewares.ts"), "utf8")
  const matchers = [...source.matchAll(/matcher: "([^"]+)"/g)].map(([, matcher = ""]) => matcher)
  return matchers
    .filter((matcher) => !matcher.includes("merchant-payments"))
    .map((matcher) => ({
      method: "POST",
      address: matcher.replace(
        "/*",
        matcher.includes("carts") ? "/line-items" : "/payment-sessions",
      ),
      isGuarded: true,
    }))
}
