/** Which admin routes Medusa's roles guard: each that there is. */
import middlewares from "../../../src/api/middlewares"
import { merchantPaymentPolicies } from "../../../src/policies/merchant-payments"
import { adminRoutes } from "../../fuzz/routes"

type Policy = { readonly resource: string; readonly operation: string }

const nameOf = ({ resource, operation }: Policy) => `${resource}:${operation}`

const asked = (middlewares.routes ?? []).flatMap(({ matcher, methods, policies }) => {
  const address = String(matcher).replace("/admin/merchant-payments/", "")
  return policies
    ? [methods ?? []].flat().map((method) => ({ route: `${method} ${address}`, policies }))
    : []
})

describe("[S13] Medusa's roles", () => {
  it("guard each admin route, once", () => {
    expect(asked.map(({ route }) => route).sort()).toEqual(adminRoutes())
  })

  it("can grant each of the four policies that routes ask for", () => {
    const { policies } = merchantPaymentPolicies as { readonly policies: readonly Policy[] }
    const granted = policies.map(nameOf).sort()
    const wanted = asked.flatMap(({ policies: of }) =>
      [of].flat().map((one) => nameOf(one as Policy)),
    )
    expect([...new Set(wanted)].sort()).toEqual(granted)
    expect(granted).toEqual([
      "merchant_account:update",
      "merchant_payment:read",
      "merchant_payment:update",
      "merchant_payout:create",
    ])
  })

  it("keep an admin with read access from every route that changes something", () => {
    // A search asks by POST only to keep names out of the address.
    const asking = ["POST operations/search"]
    const changing = asked.filter(
      ({ route }) => !route.startsWith("GET ") && !asking.includes(route),
    )
    expect(changing.flatMap(({ policies: of }) => [of].flat())).not.toContainEqual(
      expect.objectContaining({ resource: "merchant_payment", operation: "read" }),
    )
  })
})
