/**
 * Two admins for a refund above the amount, in a real store: two people, and a key that is neither.
 */
import { paidOrder, refundsOf } from "./support/refunds"
import { expectOk, type Answer } from "./support/shop"
import { useHarness } from "./support/harness"

const harness = useHarness()

type Said = { readonly message?: string }
type Refunds = (paymentId: string, amount: number) => Promise<Answer<Said>>

const asWith =
  (authorization: string): Refunds =>
  (paymentId, amount) =>
    harness.shop.call("POST", `/admin/payments/${paymentId}/refund`, { amount }, { authorization })

async function anApiKey(): Promise<Refunds> {
  const { api_key } = await expectOk(
    harness.admin.call<{ api_key: { token: string } }>("POST", "/admin/api-keys", {
      title: "bookkeeping",
      type: "secret",
    }),
  )
  return asWith(`Basic ${Buffer.from(`${api_key.token}:`).toString("base64")}`)
}

/** Invited by the first one, as Medusa does it. */
async function anotherAdmin(): Promise<Refunds> {
  const login = { email: "bob@example.com", password: "another-password" }
  const { invite } = await expectOk(
    harness.admin.call<{ invite: { token: string } }>("POST", "/admin/invites", {
      email: login.email,
    }),
  )
  const token = async (path: string) =>
    `Bearer ${(await expectOk(harness.shop.call<{ token: string }>("POST", path, login))).token}`
  const authorization = await token("/auth/user/emailpass/register")
  await expectOk(
    harness.shop.call(
      "POST",
      `/admin/invites/accept?token=${invite.token}`,
      { email: login.email },
      { authorization },
    ),
  )
  return asWith(await token("/auth/user/emailpass"))
}

it("goes by the word of two people, and an API key is nobody's second word", async () => {
  await harness.sql(
    `update mp_account set policies = '{ "refund_second_admin_above": { "*": 10 } }'::jsonb`,
  )
  const order = await paidOrder(harness)
  const ada: Refunds = (paymentId, amount) =>
    harness.admin.call("POST", `/admin/payments/${paymentId}/refund`, { amount })
  const [key, bob] = [await anApiKey(), await anotherAdmin()]
  const expectRefused = async (refund: Refunds) => {
    const { status, body } = await refund(order.paymentId, 15)
    expect([status, body.message]).toEqual([
      expect.any(Number),
      expect.stringContaining("refund_needs_second_admin"),
    ])
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  }
  expect((await key(order.paymentId, 4.99)).status).toBe(200)
  await expectRefused(key)
  await expectRefused(ada)
  await expectRefused(ada)
  await expectRefused(key)
  expect(await refundsOf(harness, order)).toHaveLength(1)
  expect(harness.simulator.book.refunds()).toMatchObject([{ amount: "4.99" }])
  expect((await bob(order.paymentId, 15)).status).toBe(200)
  expect(harness.simulator.book.refunds()).toMatchObject([{ amount: "4.99" }, { amount: "15.00" }])
})
