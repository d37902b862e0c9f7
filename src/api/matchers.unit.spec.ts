/**
 * The matchers of the middlewares mean the same to Express 4 and to Express 5, whose parsers of
 * addresses differ: two of them guard money.
 */
import { createRequire } from "node:module"
import { match, pathToRegexp } from "path-to-regexp"
import middlewares from "./middlewares"

type Parser4 = (
  path: string | RegExp,
  keys: { name: string | number }[],
  options: { end: boolean },
) => RegExp

const ofExpress = createRequire(require.resolve("express/package.json"))
const parser4 = ofExpress("path-to-regexp") as Parser4

type Found = Readonly<Record<string, string | undefined>> | false
/** Whether a matcher takes an address, with its parameters; `isPrefix`: also what lies below it. */
type Asked = (matcher: string | RegExp, address: string, isPrefix: boolean) => Found

const express4: Asked = (matcher, address, isPrefix) => {
  const keys: { name: string | number }[] = []
  const found = parser4(matcher, keys, { end: !isPrefix }).exec(address)
  return found ? Object.fromEntries(keys.map(({ name }, at) => [name, found[at + 1]])) : false
}

/** A regular expression goes past the parser of Express 5: its router asks it directly. */
const express5: Asked = (matcher, address, isPrefix) => {
  if (matcher instanceof RegExp) {
    const found = matcher.exec(address)
    return found ? { ...found.groups } : false
  }
  const found = match(matcher, { end: !isPrefix, trailing: true, sensitive: false })(address)
  return found ? { ...(found.params as Record<string, string>) } : false
}

type Route = { matcher: string | RegExp; methods: readonly string[] | undefined }
const ROUTES: readonly Route[] = (middlewares.routes ?? []).map(({ matcher, methods }) => ({
  matcher: matcher,
  methods: methods,
}))

const of = (part: string) => ROUTES.filter(({ matcher }) => String(matcher).includes(part))

const ADDRESSES = [
  "/store/carts",
  "/store/carts/",
  "/store/carts/cart_1",
  "/store/carts/cart_1/",
  "/store/Carts/cart_1/Line-Items/",
  "/store/carts/cart_1/line-items",
  "/store/carts/cart_1/line-items/item_1",
  "/store/carts/cart_1/of/another/plugin/deep/below",
  "/store/carts-of-others/cart_1/line-items",
  "/store/payment-collections",
  "/store/payment-collections/pay_col_1",
  "/store/payment-collections/pay_col_1/payment-sessions",
  "/store/payment-collections/pay_col_1/payment-sessions/payses_1",
  "/store/payment-collections/pay_col_1//",
  "/admin/orders/order_1/cancel",
  "/admin/orders/order_1/cancel/",
  "/admin/orders/order_1",
  "/merchant-payments/receipt/token",
  "/store/merchant-payments/methods",
  "/store/merchant-payments/sessions/payses_1/start",
  "/store/merchant-payments-of-others/sessions",
  "/admin/merchant-payments/operations",
  "/admin/merchant-payments/operations/mpop_1/resolve",
  "/admin/merchant-payments/accounts/mpacc_1/credentials/mpcred_1",
  "/x/store/carts/cart_1/line-items",
]

it.each(ROUTES.map(({ matcher, methods }) => ({ matcher, isPrefix: methods === undefined })))(
  "Express 4 and Express 5 take the same addresses, with the same parameters, by $matcher",
  ({ matcher, isPrefix }) => {
    expect(() => typeof matcher === "string" && pathToRegexp(matcher)).not.toThrow()
    for (const address of ADDRESSES) {
      const [four, five] = [express4, express5].map((ask) => ask(matcher, address, isPrefix))
      expect({ address, found: five }).toEqual({ address, found: four })
    }
  },
)

/** The addresses of the list that one of the routes takes, by their id. */
function takenBy(ask: Asked, routes: readonly Route[]): string[] {
  return ADDRESSES.flatMap((address) => {
    const found = routes
      .map(({ matcher, methods }) => ask(matcher, address, methods === undefined))
      .find((one) => one !== false)
    return found ? [`${String(Object.values(found)[0])} of ${address}`] : []
  })
}

describe.each([
  ["4", express4],
  ["5", express5],
])("[B02] under Express %s", (_version, ask) => {
  it("the guard takes each change of a cart, and no other address", () => {
    expect(takenBy(ask, of("carts"))).toEqual([
      "cart_1 of /store/carts/cart_1",
      "cart_1 of /store/carts/cart_1/",
      "cart_1 of /store/Carts/cart_1/Line-Items/",
      "cart_1 of /store/carts/cart_1/line-items",
      "cart_1 of /store/carts/cart_1/line-items/item_1",
      "cart_1 of /store/carts/cart_1/of/another/plugin/deep/below",
    ])
  })

  it("the guard takes each change of a payment collection, and no other address", () => {
    expect(takenBy(ask, of("payment-collections"))).toEqual([
      "pay_col_1 of /store/payment-collections/pay_col_1",
      "pay_col_1 of /store/payment-collections/pay_col_1/payment-sessions",
      "pay_col_1 of /store/payment-collections/pay_col_1/payment-sessions/payses_1",
      "pay_col_1 of /store/payment-collections/pay_col_1//",
    ])
  })

  it("the guard takes the cancellation of an order, and no other address", () => {
    expect(takenBy(ask, of("orders/:id/cancel")).slice(0, 2)).toEqual([
      "order_1 of /admin/orders/order_1/cancel",
      "order_1 of /admin/orders/order_1/cancel/",
    ])
  })
})
