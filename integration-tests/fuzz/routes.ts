/** The plugin's routes, and those of Medusa's that it guards. */
import { ADMIN, ADMIN_ROOT, PUBLIC, PUBLIC_ROOT, STORE, STORE_ROOT } from "../../src/api/endpoints"
import middlewares from "../../src/api/middlewares"

export type Route = {
  readonly method: string
  /** `/admin/merchant-payments/operations/:id` */
  readonly address: string
  /** Medusa's own route: only what our guard before it answers is ours. */
  readonly isGuarded: boolean
}

export const nameOf = ({ method, address }: Route): string => `${method} ${address}`

export function routesOfOurs(): readonly Route[] {
  const roots = [
    [ADMIN_ROOT, ADMIN],
    [STORE_ROOT, STORE],
    [PUBLIC_ROOT, PUBLIC],
  ] as const
  return roots.flatMap(([root, endpoints]) =>
    Object.keys(endpoints).map((key) => {
      const [method = "", address = ""] = key.split(" ")
      return { method, address: `${root}${address}`, isGuarded: false }
    }),
  )
}

/** `GET operations/:id`, below `/admin/merchant-payments/`; sorted. */
export const adminRoutes = (): string[] => Object.keys(ADMIN).sort()

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
