/**
 * A store that uses Medusa's roles: each admin route asks for its policy, and a role with it
 * passes.
 */
import { randomBytes, randomUUID } from "node:crypto"
import type { RequestsResponse } from "../../src/payouts/schemas/requests"
import { adminAt, type Admin } from "./support/admin"
import { adminRoutes } from "../fuzz/routes"
import { walletsOf } from "./support/money-out"
import { paidOrder } from "./support/refunds"
import { anotherAdmin } from "./support/second-admin"
import { expectOk } from "./support/shop"
import { ADMIN } from "./support/store-process"
import { useHarness } from "./support/harness"

/** Its module has tables that the other stores lack. */
const harness = useHarness({
  env: {
    MEDUSA_FF_RBAC: "true",
    DEMO_IS_UP_TO_DATE: "",
    MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  },
})
const ROOT = "/admin/merchant-payments"

type Refused = { readonly type?: string; readonly message?: string }

let roles = 0

/** Logs in again: a login holds the roles that the admin had then. */
async function adminWith(policies: readonly string[]) {
  await harness.sql("delete from user_rbac_role")
  const role = `role_${++roles}_${policies.join("_").replaceAll(/\W/g, "_")}`
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
     select 'userrole_' || $1, id, $1 from "user" where email = $2`,
    [role, ADMIN.email],
  )
  const { token } = await expectOk(
    harness.shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
  )
  const headers = { authorization: `Bearer ${token}` }
  const call = <Body>(method: string, path: string, body?: object) =>
    harness.shop.call<Body>(method, `${ROOT}/${path}`, body, headers)
  async function mayAsk(): Promise<string[]> {
    const open: string[] = []
    for (const route of adminRoutes()) {
      const [method = "", address = ""] = route.split(" ")
      const body = method === "POST" ? {} : undefined
      const answer = await call<Refused>(method, address.replaceAll(/:\w+/g, "mp_none"), body)
      if (answer.status !== 403) open.push(route)
      else expect([route, answer.body.type]).toEqual([route, "forbidden"])
    }
    return open
  }
  return { call, mayAsk }
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
  const { mayAsk } = await adminWith(policies)
  expect(await mayAsk()).toEqual(adminRoutes().filter(opens))
})

it.each([
  ["reading payments", [READ], []],
  ["reading payments and accounts", [READ, "merchant_account:update"], ["Second"]],
])(
  "[S13] a role with %s is shown of what waits for a second admin what it may read",
  async (_name, policies, labels) => {
    const { call } = await adminWith(policies)
    await harness.sql(`insert into "user" (id, email) values ('user_eve', 'eve@example.com')
                     on conflict do nothing`)
    await harness.sql(`insert into user_rbac_role (id, user_id, rbac_role_id)
                     values ('userrole_eve', 'user_eve', 'role_super_admin')`)
    const proposal = {
      accountId: "mpacc_2",
      label: "Second",
      name: "created",
      fields: [],
      changes: {},
    }
    await harness.sql(
      `insert into mp_approval (id, kind, subject, asked_by, details, proposal)
     values ('mpappr_2', 'ACCOUNT', 'request account new', 'user_eve', '{}', $1)
     on conflict do nothing`,
      [JSON.stringify(proposal)],
    )
    const { requests } = await expectOk(call<RequestsResponse>("GET", "requests"))
    expect(requests.map(({ change }) => change?.label)).toEqual(labels)
  },
)

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

const BOB = { email: "bob@example.com", password: "another-password" }

describe("[D8] what two admins have to agree on", () => {
  /** Every right but one. A login keeps the roles that its admin had then. */
  async function mayAllBut(email: string, right: string): Promise<void> {
    const role = `role_all_but_${right.replaceAll(/\W/g, "_")}`
    await harness.sql("insert into rbac_role (id, name) values ($1, $1) on conflict do nothing", [
      role,
    ])
    await harness.sql(
      `insert into rbac_role_policy (id, role_id, policy_id)
       select 'rlpl_' || $1 || id, $1, id from rbac_policy
        where key <> $2 and resource <> '*' and operation <> '*' and deleted_at is null
       on conflict do nothing`,
      [role, right],
    )
    await hasRole(email, role)
  }
  async function hasRole(email: string, role: string): Promise<void> {
    await harness.sql(
      `delete from user_rbac_role where user_id = (select id from "user" where email = $1)`,
      [email],
    )
    await harness.sql(
      `insert into user_rbac_role (id, user_id, rbac_role_id)
       select 'userrole_' || $2 || id, id, $2 from "user" where email = $1`,
      [email, role],
    )
  }
  const mayAll = (email: string) => hasRole(email, "role_super_admin")

  let ada: Admin
  let bob: Admin
  let paymentId: string
  let wallets: object

  beforeAll(async () => {
    await mayAll(ADMIN.email)
    ada = adminAt(harness.shop)
    await anotherAdmin({ shop: harness.shop, admin: ada }, BOB)
    await mayAll(BOB.email)
    bob = adminAt(harness.shop, BOB)
    const above = { "*": 0 }
    await harness.sql("update mp_account set policies = policies || $1::jsonb", [
      JSON.stringify({
        money_out: true,
        money_out_second_admin_above: above,
        refund_second_admin_above: above,
      }),
    ])
    const paid = await paidOrder(harness)
    paymentId = paid.paymentId
    wallets = await walletsOf(harness, "+231770000042")
  })

  const KINDS = [
    [
      "a transfer",
      "merchant_payout:create",
      "payout-requests",
      (amount: number) =>
        bob.call("POST", `${ROOT}/transfers`, {
          idempotency_key: randomUUID(),
          amount,
          currency: "USD",
          ...wallets,
        }),
    ],
    [
      "a refund",
      "merchant_payment:update",
      "refund-requests",
      (amount: number) => bob.refund(paymentId, amount),
    ],
    [
      "a change of an account",
      "merchant_account:update",
      "account-changes",
      (amount: number) =>
        bob.call("POST", `${ROOT}/accounts`, {
          label: "Another",
          base_url: harness.simulator.url,
          client_id: `client-${amount}`,
          client_secret: "of-another-client",
          policies: { money_out: true },
        }),
    ],
  ] as const

  it.each(KINDS)(
    "%s is approved by and for no admin who has lost the right to it since the login",
    async (_name, right, route, ask) => {
      let amount = 0
      const waiting = async () => {
        amount += 1
        await ask(amount)
        const [row] = await harness.sql<{ id: string; closed_at: Date | null }>(
          "select id, closed_at from mp_approval order by asked_at desc limit 1",
        )
        expect(row?.closed_at).toBeNull()
        return row?.id ?? ""
      }
      const approvals = async (id: string) => {
        await ada.call("POST", `${ROOT}/${route}/${id}/approve`, {})
        const [row] = await harness.sql<{ approved_by: string | null }>(
          "select approved_by from mp_approval where id = $1",
          [id],
        )
        return row?.approved_by === null ? "waits or is closed" : "approved"
      }
      const asked = await waiting()
      await mayAllBut(BOB.email, right)
      expect(await approvals(asked)).toBe("waits or is closed")
      await mayAll(BOB.email)
      expect(await approvals(asked)).toBe("waits or is closed")
      const other = await waiting()
      await mayAllBut(ADMIN.email, right)
      expect(await approvals(other)).toBe("waits or is closed")
      await mayAll(ADMIN.email)
      expect(await approvals(other)).toBe("approved")
    },
  )
})
