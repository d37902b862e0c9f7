/**
 * A store that uses Medusa's roles: each admin route asks for its policy, and a role with it
 * passes.
 */
import { adminRoutes } from "./support/admin-routes"
import { expectOk } from "./support/shop"
import { ADMIN } from "./support/store-process"
import { useHarness } from "./support/harness"

/** Its module has tables that the other stores lack. */
const harness = useHarness({ env: { MEDUSA_FF_RBAC: "true", DEMO_IS_UP_TO_DATE: "" } })
const ROOT = "/admin/merchant-payments"

type Refused = { readonly type?: string; readonly message?: string }

/** Logs in again: a login holds the roles that the admin had then. */
async function adminWith(policies: readonly string[]) {
  await harness.sql("delete from user_rbac_role")
  const role = `role_${policies.join("_").replaceAll(/\W/g, "_")}`
  await harness.sql("insert into rbac_role (id, name) values ($1, $1)", [role])
  const granted = await harness.sql<{ id: string }>(
    `insert into rbac_role_policy (id, role_id, policy_id)
     select 'rlpl_' || $1 || p.id, $1, p.id from rbac_policy p
      where p.key = any ($2) and p.deleted_at is null
     returning id`,
    [role, policies],
  )
  expect(granted).toHaveLength(policies.length)
  await harness.sql(
    `insert into user_rbac_role (id, user_id, rbac_role_id)
     select 'userrole_' || $1, id, $1 from "user"`,
    [role],
  )
  const { token } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  const headers = { authorization: `Bearer ${token}` }
  return async function mayAsk(): Promise<string[]> {
    const open: string[] = []
    for (const route of adminRoutes()) {
      const [method = "", address = ""] = route.split(" ")
      const path = `${ROOT}/${address.replaceAll(/:\w+/g, "mp_none")}`
      const body = method === "POST" ? {} : undefined
      const answer = await harness.shop.call<Refused>(method, path, body, headers)
      if (answer.status !== 403) open.push(route)
      else expect([route, answer.body.type]).toEqual([route, "forbidden"])
    }
    return open
  }
}

const READ = "merchant_payment:read"
/** A search changes nothing; it asks by POST to keep names out of the address. */
const reading = (route: string) =>
  /^GET (operations|orders|payouts|transfers|requests|reconciliation|overview|sheet|fees)\b/.test(
    route,
  ) || route === "POST operations/search"
const sending = (route: string) => /^POST (payouts|transfers|payout-requests)\b/.test(route)
const managing = (route: string) =>
  /(accounts|account-changes|regions|health|customers|notifications)/.test(route)

it.each([
  ["none of the plugin's policies", ["order:read"], () => false],
  ["reading payments", [READ], reading],
  ["money out", ["merchant_payout:create"], sending],
  ["accounts", ["merchant_account:update"], managing],
  [
    "deciding and refunding",
    ["merchant_payment:update"],
    (route: string) => ![reading, sending, managing].some((is) => is(route)),
  ],
])("[S13] a role with %s opens those routes, and no others", async (_name, policies, opens) => {
  const mayAsk = await adminWith(policies)
  expect(await mayAsk()).toEqual(adminRoutes().filter(opens))
})

it("[S13] a secret API key has no role, and is refused", async () => {
  await harness.sql("delete from user_rbac_role")
  await harness.sql(
    `insert into user_rbac_role (id, user_id, rbac_role_id)
     select 'userrole_super', id, 'role_super_admin' from "user"`,
  )
  const { token } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  const made = { title: "program", type: "secret" }
  const { api_key } = await expectOk(
    harness.shop.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", made, {
      authorization: `Bearer ${token}`,
    }),
  )
  const authorization = `Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`
  const { status } = await harness.shop.call("GET", `${ROOT}/operations`, undefined, {
    authorization,
  })
  expect(status).toBe(403)
})
