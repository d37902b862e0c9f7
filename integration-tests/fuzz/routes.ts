/** Every route of ours, and every route of Medusa's that we guard, as they stand in the source. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import middlewares from "../../src/api/middlewares"

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

/** By the matchers of our middlewares; a pattern stands for one that Medusa has below it. */
export function guardedRoutes(): readonly Route[] {
  return (middlewares.routes ?? [])
    .map(({ matcher, methods }) => ({ matcher: String(matcher), methods }))
    .filter(
      ({ matcher, methods }) => methods !== undefined && !matcher.includes("merchant-payments"),
    )
    .map(({ matcher }) => ({ method: "POST", address: addressOf(matcher), isGuarded: true }))
}

function addressOf(matcher: string): string {
  if (!matcher.startsWith("/^")) return matcher
  return matcher.includes("carts")
    ? "/store/carts/:id/line-items"
    : "/store/payment-collections/:id/payment-sessions"
}
