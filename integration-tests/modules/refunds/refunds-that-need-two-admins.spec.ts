/** Refunds in Medusa's admin, where the account wants two admins above an amount. */
import fc from "fast-check"
import type { People } from "../../../src/ledger/requests"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import type { AccountPolicies } from "../../../src/core/account-policies"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { codeOf } from "../../support/code-of"
import { useRefundHarness } from "../../support/refund-harness"

const { harness, paid, quick, click, ask, sentOf } = useRefundHarness()

async function policies(change: Partial<AccountPolicies>): Promise<void> {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  await saveAccount(harness.deps.database, {
    ...account,
    policies: { ...account.policies, ...change },
  })
}

beforeEach(() => policies({ refund_second_admin_above: { USD: 10 } }))

const REFUNDED = expect.stringMatching(/^ref_/)

it("a refund above the amount is noted at the first click and sent at another admin's", async () => {
  const payment = await paid()
  expect(await click(payment, "15", { by: "user_ada" })).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", { by: "user_ada" })).toBe("refund_needs_second_admin")
  expect(await click(payment, "12", { by: "user_bob" })).toBe("refund_needs_second_admin")
  expect(sentOf(payment)).toEqual([])
  expect(await click(payment, "15", { by: "user_bob" })).toEqual(REFUNDED)
  expect(sentOf(payment)).toMatchObject([{ amount: "15.00" }])
})

const waitingFor = (id: string) =>
  harness.ledger.sql(
    `select asked_by from mp_approval
      where subject like 'request refund ' || $1 || ' %' and closed_at is null
        and operation_id is null`,
    [id],
  )

describe("[S17] a refund that one admin asks for and another approves", () => {
  const [ADA, BOB, EVE] = ["user_ada", "user_bob", "user_eve"]

  it.each([false, true])(
    "goes once where the approver clicks twice (at once: %s), and whoever presses again sees so",
    async (isAtOnce) => {
      const payment = await paid()
      await policies({ refund_second_admin_above: { USD: 6 } })
      expect(await click(payment, "7", { by: ADA })).toBe("refund_needs_second_admin")
      const both = isAtOnce
        ? await Promise.all([0, 1].map(() => click(payment, "7", { by: BOB })))
        : [await click(payment, "7", { by: BOB }), await click(payment, "7", { by: BOB })]
      expect(both).toContainEqual(REFUNDED)
      for (const by of [ADA, BOB, EVE]) {
        expect(await click(payment, "7", { by })).toBe("request_ended")
      }
      expect(sentOf(payment)).toMatchObject([{ amount: "7.00" }])
      expect(await waitingFor(payment.id)).toEqual([])
    },
    60_000,
  )

  it("moves money once in any order of crossing clicks", async () => {
    const by = fc.constantFrom(ADA, BOB, EVE)
    const moments = fc.array(fc.array(by, { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 4,
    })
    const play = async (drawn: readonly (readonly string[])[]) => {
      const payment = await paid()
      await policies({ refund_second_admin_above: { USD: 6 } })
      for (const at of drawn) {
        await Promise.all(at.map((one) => click(payment, "7", { by: one })))
      }
      const isAgreed = new Set(drawn.flat()).size > 1
      expect(sentOf(payment).length).toBeLessThanOrEqual(isAgreed ? 1 : 0)
    }
    const examples: [string[][]][] = [[[[ADA], [BOB, BOB], [ADA]]], [[[ADA], [BOB], [BOB], [ADA]]]]
    await fc.assert(fc.asyncProperty(moments, play), { numRuns: 8, examples })
  }, 240_000)

  const peopleWithout = (gone: string, mark = "null"): People => ({
    may: (userId) => `${userId} <> '${gone}'`,
    markOf: () => mark,
  })

  it.each([
    ["the admin who asked is deleted, or lost the role", peopleWithout(ADA)],
    ["the address of the admin who asked is another now", peopleWithout("nobody", "'another'")],
  ])("[D43.1] isn't approved once %s, also when it is as before", async (_name, people) => {
    const payment = await paid()
    const before = { ...quick(), people: peopleWithout("nobody", "'first'") }
    expect(await click(payment, "15", { by: ADA, deps: before })).toBe("refund_needs_second_admin")
    const now = { ...quick(), people }
    expect(await click(payment, "15", { by: BOB, deps: now })).toBe("refund_needs_second_admin")
    expect(sentOf(payment)).toEqual([])
    // Ada's request is closed for good: only Bob's waits.
    expect(await waitingFor(payment.id)).toEqual([{ asked_by: BOB }])
  })

  it("[D43.1] isn't approved by an admin who is deleted, or lost the role", async () => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA })).toBe("refund_needs_second_admin")
    const deps = { ...quick(), people: peopleWithout(BOB) }
    expect(await click(payment, "15", { by: BOB, deps })).toBe("request_ended")
    expect(sentOf(payment)).toEqual([])
    expect(await click(payment, "15", { by: EVE, deps })).toEqual(REFUNDED)
  })
})

describe("[S17] refunds of one payment", () => {
  it("within a day count together toward the amount that needs two admins", async () => {
    const payment = await paid()
    expect(await click(payment, "6", { by: "user_ada" })).toEqual(REFUNDED)
    expect(await click(payment, "4", { by: "user_ada" })).toEqual(REFUNDED)
    expect(await click(payment, "0.01", { by: "user_ada" })).toBe("refund_needs_second_admin")
    expect(await click(payment, "0.01", { by: "user_bob" })).toEqual(REFUNDED)
  })

  it("of the day before don't count", async () => {
    const payment = await paid()
    expect(await click(payment, "6", { by: "user_ada" })).toEqual(REFUNDED)
    await harness.ledger.sql(
      "update mp_operation set created_at = created_at - interval '1 day' where type = 'REFUND'",
    )
    expect(await click(payment, "6", { by: "user_ada" })).toEqual(REFUNDED)
    expect(await click(payment, "6", { by: "user_ada" })).toBe("refund_needs_second_admin")
  })

  it("at the same moment count together", async () => {
    const payment = await paid()
    const both = await Promise.all(
      ["5.5", "5.6"].map((medusaAmount) =>
        codeOf(ask(payment, { medusaAmount, adminId: "user_ada", isWaitedFor: false })),
      ),
    )
    expect(both.sort()).toEqual(["none", "refund_needs_second_admin"])
  })

  it("count together with the rest that cancelling the order would refund", async () => {
    const payment = await paid()
    await policies({ refund_second_admin_above: { USD: 15 } })
    expect(await click(payment, "9.99", { by: "user_ada" })).toEqual(REFUNDED)
    await expect(refuseOrderCancel(quick(), payment.orderId ?? "")).rejects.toMatchObject({
      code: "refund_needs_second_admin",
    })
  })
})

it("a refund below the amount, or without an admin, needs no second admin", async () => {
  const payment = await paid()
  expect(await click(payment, "5", { by: "user_ada" })).toEqual(REFUNDED)
  expect(await click(payment, "14.99", { by: null })).toEqual(REFUNDED)
  expect(sentOf(payment)).toHaveLength(2)
})

it("the agreement of two admins stands where nothing was sent", async () => {
  const payment = await paid()
  expect(await click(payment, "15", { by: "user_ada" })).toBe("refund_needs_second_admin")
  harness.simulator.faults.script("createRefundSession", ["422"])
  expect(await click(payment, "15", { by: "user_bob" })).toBe("gateway_refused")
  expect(await click(payment, "15", { by: "user_bob" })).toEqual(REFUNDED)
})

it("[H24] cancelling an order whose refund needs two admins is refused: Medusa would ignore it", async () => {
  const payment = await paid()
  await expect(refuseOrderCancel(quick(), payment.orderId ?? "")).rejects.toMatchObject({
    code: "refund_needs_second_admin",
  })
  await policies({ refund_second_admin_above: null })
  await refuseOrderCancel(quick(), payment.orderId ?? "")
})

it("an API key is neither the first admin nor the second", async () => {
  const payment = await paid()
  expect(await click(payment, "15", { by: "apk_01JKEYONE" })).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", { by: "user_ada" })).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", { by: "apk_01JKEYONE" })).toBe("refund_needs_second_admin")
  expect(await click(payment, "15", { by: "apk_01JKEYTWO" })).toBe("refund_needs_second_admin")
  expect(sentOf(payment)).toEqual([])
  expect(await click(payment, "5", { by: "apk_01JKEYONE" })).toEqual(REFUNDED)
  expect(await click(payment, "12", { by: "user_ada" })).toBe("refund_needs_second_admin")
  expect(await click(payment, "12", { by: "user_bob" })).toEqual(REFUNDED)
})

it("a limit that can't be read makes every refund need two admins", async () => {
  const payment = await paid()
  await harness.ledger.sql(
    `update mp_account set policies = jsonb_build_object('refund_second_admin_above', '200')`,
  )
  expect(await click(payment, "1", { by: "user_ada" })).toBe("refund_needs_second_admin")
})

describe("a refund of a removed account", () => {
  const gone = (is: boolean) =>
    harness.ledger.sql(`update mp_account set deleted_at = ${is ? "now()" : "null"}`)
  afterEach(() => gone(false))

  it("still needs two admins above the amount", async () => {
    const payment = await paid()
    await gone(true)
    const deps = { ...quick(), keptGateway: () => Promise.resolve(harness.gateway) }
    expect(await click(payment, "15", { by: "user_ada", deps })).toBe("refund_needs_second_admin")
    await expect(refuseOrderCancel(deps, payment.orderId ?? "")).rejects.toMatchObject({
      code: "refund_needs_second_admin",
    })
    expect(sentOf(payment)).toEqual([])
    expect(await click(payment, "15", { by: "user_bob", deps })).toEqual(REFUNDED)
  })
})
