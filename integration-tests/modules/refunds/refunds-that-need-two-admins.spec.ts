/** Refunds in Medusa's admin, where the account wants two admins above an amount. */
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import type { AccountPolicies } from "../../../src/core/account-settings"
import { closeRequest } from "../../../src/ledger/close-request"
import { type People } from "../../../src/ledger/requests"
import { refuseOrderCancel } from "../../../src/orders/guard-order"
import { readOperation } from "../../../src/review/read-operations"
import { everybody } from "../../support/everybody"
import { codeOf } from "../../support/code-of"
import { useRefundHarness } from "../../support/refund-harness"

const { harness, paid, quick, click, ask, sentOf, waiting, approve, only } = useRefundHarness()

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

const MADE = expect.stringMatching(/^mpop_/)
const [ADA, BOB, EVE] = ["user_ada", "user_bob", "user_eve"]
const NEEDS = "refund_needs_second_admin"

describe("[S17] a refund that one admin asks for and another approves", () => {
  it("waits at the first click, and asking for the same, by whoever, approves nothing", async () => {
    const payment = await paid()
    for (const by of [ADA, ADA, BOB, EVE, BOB])
      expect(await click(payment, "15", { by })).toBe(NEEDS)
    expect(await waiting(payment)).toMatchObject([{ askedBy: ADA }])
    expect(await click(payment, "12", { by: BOB })).toBe(NEEDS)
    expect(await waiting(payment)).toHaveLength(2)
    expect(sentOf(payment)).toEqual([])
  })

  it("is sent as it was asked for, and the payment's page names both admins and their reasons", async () => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA, note: "broken lid" })).toBe(NEEDS)
    expect(await approve(payment, ADA)).toBe("request_is_own")
    expect(await approve(payment, "apk_01JKEYONE")).toBe("request_needs_person")
    expect(await approve(payment, BOB)).toEqual(MADE)
    expect(sentOf(payment)).toMatchObject([{ amount: "15.00" }])
    const { refunds } = await readOperation(harness.deps, payment.id)
    expect(refunds).toMatchObject([
      {
        amount: 15,
        asked_by: ADA,
        note: "broken lid",
        approval: { approved_by: BOB, answer: "seen the parcel" },
      },
    ])
  })

  it.each([
    [BOB, "the lid is fine", { name: "request_refused", code: "note" }],
    [ADA, null, { name: "request_withdrawn", code: "refund_request_closed" }],
  ])(
    "leaves a line on its payment's page once %s closes it with the reason: %s",
    async (by, answer, line) => {
      const payment = await paid()
      expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
      const [request] = await waiting(payment)
      const given = { id: request?.id ?? "", kinds: ["REFUND"], adminId: by, answer } as const
      await closeRequest(harness.deps.database, harness.deps.people, given)
      const { events } = await readOperation(harness.deps, payment.id)
      const facts = expect.objectContaining({ amount: "15.00", currency: "USD" }) as unknown
      expect(events.at(-1)).toMatchObject({ ...line, by, facts })
      expect(sentOf(payment)).toEqual([])
    },
  )

  it.each([false, true])(
    "goes once where the approver clicks twice (at once: %s), and whoever presses again sees so",
    async (isAtOnce) => {
      const payment = await paid()
      await policies({ refund_second_admin_above: { USD: 6 } })
      expect(await click(payment, "7", { by: ADA })).toBe(NEEDS)
      const [request] = await waiting(payment)
      const press = () => approve(payment, BOB, request?.id)
      const both = isAtOnce ? await Promise.all([press(), press()]) : [await press(), await press()]
      const { id } = await only(payment)
      expect(both).toContain(id)
      // While the first click is at work, the other is refused for now.
      expect([id, "refund_in_progress"]).toEqual(expect.arrayContaining(both))
      for (const by of [ADA, BOB, EVE]) {
        expect(await click(payment, "7", { by })).toBe("request_ended")
      }
      expect(sentOf(payment)).toMatchObject([{ amount: "7.00" }])
      expect(await waiting(payment)).toEqual([])
    },
    60_000,
  )

  it("reserves its money once, whoever carries the same approval out at the same moment", async () => {
    const payment = await paid()
    await policies({ refund_second_admin_above: { USD: 6 } })
    expect(await click(payment, "7", { by: ADA })).toBe(NEEDS)
    const [request] = await waiting(payment)
    const use = { id: request?.id ?? "", approvedBy: BOB, answer: null }
    const given = { medusaAmount: "7", adminId: BOB, use, isWaitedFor: false }
    const codes = await Promise.all([0, 1, 2].map(() => codeOf(ask(payment, given))))
    expect(codes.sort()).toEqual(["none", "request_ended", "request_ended"])
    expect(sentOf(payment)).toMatchObject([{ amount: "7.00" }])
  })

  it.each([
    ["refused by another admin", BOB, "refused"],
    ["withdrawn by its asker", ADA, "withdrawn"],
  ])("can't be approved once it is %s", async (_name, by, state) => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
    const [request] = await waiting(payment)
    const { database, people } = harness.deps
    const given = { id: request?.id ?? "", kinds: ["REFUND"], adminId: by, answer: null } as const
    expect(await closeRequest(database, people, given)).toMatchObject({ state })
    expect(await approve(payment, EVE, request?.id)).toBe("request_ended")
    expect(sentOf(payment)).toEqual([])
    // The next click is a new request.
    expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
    expect(await approve(payment, EVE)).toEqual(MADE)
  })

  it("can't be approved a day later", async () => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
    const [request] = await waiting(payment)
    await harness.ledger.sql("update mp_approval set asked_at = asked_at - interval '1 day'")
    expect(await approve(payment, BOB, request?.id)).toBe("request_ended")
    expect(await waiting(payment)).toEqual([])
    expect(sentOf(payment)).toEqual([])
  })

  it("moves nothing and waits on where other refunds have left too little, and may be withdrawn", async () => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
    expect(await click(payment, "6", { by: EVE })).toEqual(REFUNDED)
    expect(await approve(payment, BOB)).toBe("refund_too_much")
    expect(await waiting(payment)).toHaveLength(1)
    expect(sentOf(payment)).toMatchObject([{ amount: "6.00" }])
  })

  it("waits on where the gateway takes no refund just now, and is approved then", async () => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
    harness.simulator.faults.script("createRefundSession", ["422"])
    expect(await approve(payment, BOB)).toBe("gateway_refused")
    expect(await waiting(payment)).toHaveLength(1)
    expect(await approve(payment, EVE)).toEqual(MADE)
    expect(sentOf(payment)).toHaveLength(1)
  })

  const peopleWithout = (gone: string, mark = "null"): People => ({
    ...everybody,
    may: (userId) => `${userId} <> '${gone}'`,
    markOf: () => mark,
  })

  it.each([
    ["the admin who asked is deleted, or lost the role", peopleWithout(ADA)],
    ["the address of the admin who asked is another now", peopleWithout("nobody", "'another'")],
  ])("[D8] isn't approved once %s, also when it is as before", async (_name, people) => {
    const payment = await paid()
    const before = { ...quick(), people: peopleWithout("nobody", "'first'") }
    expect(await click(payment, "15", { by: ADA, deps: before })).toBe(NEEDS)
    const [request] = await waiting(payment, before)
    const now = { ...quick(), people }
    expect(await approve(payment, BOB, request?.id, now)).toBe("request_ended")
    expect(await approve(payment, BOB, request?.id, before)).toBe("request_ended")
    expect(sentOf(payment)).toEqual([])
  })

  it("[D8] isn't approved by an admin who is deleted, or lost the role", async () => {
    const payment = await paid()
    expect(await click(payment, "15", { by: ADA })).toBe(NEEDS)
    const deps = { ...quick(), people: peopleWithout(BOB) }
    expect(await approve(payment, BOB, undefined, deps)).toBe("request_ended")
    expect(sentOf(payment)).toEqual([])
    expect(await approve(payment, EVE, undefined, deps)).toEqual(MADE)
  })

  it("isn't noted for an admin without the right to approve one", async () => {
    const payment = await paid()
    const deps = { ...quick(), people: peopleWithout(ADA) }
    expect(await click(payment, "15", { by: ADA, deps })).toBe("request_needs_right")
    expect(
      await harness.ledger.sql(
        "select id from mp_approval where asked_by = $1 and subject like $2",
        [ADA, `%${payment.id}%`],
      ),
    ).toEqual([])
  })
})

describe("[S17] refunds of one payment", () => {
  it("within a day count together toward the amount that needs two admins", async () => {
    const payment = await paid()
    expect(await click(payment, "6", { by: "user_ada" })).toEqual(REFUNDED)
    expect(await click(payment, "4", { by: "user_ada" })).toEqual(REFUNDED)
    expect(await click(payment, "0.01", { by: "user_ada" })).toBe("refund_needs_second_admin")
    expect(await approve(payment, BOB)).toEqual(MADE)
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

it("[H24] cancelling an order whose refund needs two admins is refused: Medusa would ignore it", async () => {
  const payment = await paid()
  await expect(refuseOrderCancel(quick(), payment.orderId ?? "")).rejects.toMatchObject({
    code: "refund_needs_second_admin",
  })
  await policies({ refund_second_admin_above: null })
  await refuseOrderCancel(quick(), payment.orderId ?? "")
})

it("an API key asks for no refund that needs two admins", async () => {
  const payment = await paid()
  expect(await click(payment, "15", { by: "apk_01JKEYONE" })).toBe(NEEDS)
  expect(await waiting(payment)).toEqual([])
  expect(await click(payment, "5", { by: "apk_01JKEYONE" })).toEqual(REFUNDED)
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
    expect(await approve(payment, BOB, undefined, deps)).toEqual(MADE)
  })
})
