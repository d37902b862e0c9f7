/**
 * What an account may send: nothing until it is turned on, an amount a day, and with two admins
 * above a limit.
 */
import { announce } from "../../../src/worker/announce"
import type { Announcement } from "../../../src/worker/rules/announcements"
import { payoutView } from "../../../src/payouts/payout-view"
import { closeRequest } from "../../../src/ledger/close-request"
import { listWaiting } from "../../../src/ledger/requests"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { accountantFile } from "../../../src/reconciliation/accountant-file"
import { readOperation } from "../../../src/review/read-operations"
import { retain } from "../../../src/reconciliation/retain"
import { requestTransfer } from "../../../src/payouts/request-transfer"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import {
  letMoneyOut,
  passcodeOf,
  payoutOf,
  usePayoutsHarness,
  WRONG,
} from "../../support/payouts-harness"

const { harness, transferOf, pay, codeOf, under, checkAfter, sentIn } = usePayoutsHarness()
const rules = (policies: object) => letMoneyOut(harness.ledger, policies)
const transfer = async (given: object = {}) =>
  payoutView(await requestTransfer(harness.deps, await transferOf(given)))

const KINDS = ["PAYOUT", "TRANSFER"] as const
const ADA = "user_ada"
const BOB = "user_bob"

/** The lines of the sheet, each with its cells by their heads. */
async function sheetLines(): Promise<Readonly<Record<string, string>>[]> {
  const { database, accounts } = harness.deps
  const [from, until] = [new Date(0), new Date("2100-01-01T00:00:00Z")]
  const medusa = {
    orderNumbers: async () => new Map<string, string>(),
    adminNames: async () =>
      new Map([
        [ADA, "Ada King"],
        [BOB, "Bob Roe"],
      ]),
  }
  const asked = { from, until, timeZone: "UTC", language: "en" } as const
  const { lines } = await accountantFile({ database, accounts, medusa }, asked)
  let text = ""
  for await (const part of lines) text += part
  const [head = [], ...rest] = text.split("\r\n").map((line) => line.split(","))
  return rest.map((cells) => Object.fromEntries(head.map((name, n) => [name, cells[n] ?? ""])))
}

async function aDayPasses(): Promise<void> {
  await harness.ledger.sql("update mp_operation set created_at = created_at - interval '1 day'")
  await harness.ledger.sql("update mp_approval set asked_at = asked_at - interval '1 day'")
}

beforeEach(async () => {
  await aDayPasses()
  await rules({})
})

describe("[S14] money out", () => {
  it.each([
    ["that has no policy for it", {}],
    ["that has turned it off", { money_out: false }],
  ])("is off for an account %s", async (_name, policies) => {
    await harness.ledger.sql("update mp_account set policies = $1", [JSON.stringify(policies)])
    const [request, asked] = [payoutOf(), await transferOf()]
    harness.simulator.resetCalls()
    expect(await codeOf(pay(request))).toBe("money_out_off")
    expect(await codeOf(requestTransfer(harness.deps, asked))).toBe("money_out_off")
    expect([await under(request.idempotencyKey), harness.simulator.calls]).toEqual([undefined, {}])
  })

  it("that was sent before it was turned off is still answered under its key", async () => {
    const request = payoutOf()
    const { id } = await pay(request)
    await rules({ money_out: false })
    expect((await pay(request)).id).toBe(id)
  })

  it("is refused to a secret API key unless the account allows keys", async () => {
    const byKey = { askedBy: "apk_01JPAYROLL" }
    expect(await codeOf(pay(payoutOf(byKey)))).toBe("money_out_needs_person")
    expect(await codeOf(transfer(byKey))).toBe("money_out_needs_person")
    await rules({ money_out_by_api_key: true })
    expect(await pay(payoutOf(byKey))).toMatchObject({ state: "in_flight" })
  })

  it("is announced when it is requested, completed and failed", async () => {
    const emitted: Announcement[] = []
    const bus = {
      emit: (announcements: readonly Announcement[]) => {
        emitted.push(...announcements)
        return Promise.resolve()
      },
    }
    await announce({ ...harness.deps, bus })
    emitted.length = 0
    const [good, bad] = [payoutOf(), payoutOf({ passcode: passcodeOf(WRONG) })]
    const { id } = await pay(good)
    expect(await codeOf(pay(bad))).toBe("wrong_passcode")
    for (const ms of [SECOND, MINUTE]) await checkAfter(bad.idempotencyKey, ms, 0)
    await checkAfter(good.idempotencyKey, 4 * SECOND)
    await announce({ ...harness.deps, bus })
    const heard = emitted.map(({ name, data }) => [data.id === id, data.type, name])
    expect(heard.sort()).toEqual(
      [
        [true, "PAYOUT", "merchant_payments.money_out_asked"],
        [true, "PAYOUT", "merchant_payments.money_out_completed"],
        [false, "PAYOUT", "merchant_payments.money_out_asked"],
        [false, "PAYOUT", "merchant_payments.money_out_failed"],
      ].sort(),
    )
  })
})

describe("[S15] a payout that two admins agreed on", () => {
  it("keeps both names and both reasons, on its page and in the accountant's sheet", async () => {
    await rules({ money_out_second_admin_above: { "*": 0 } })
    const request = payoutOf({ note: "October wages", askedBy: ADA })
    expect(await codeOf(pay(request))).toBe("money_out_needs_second_admin")
    const { database, people } = harness.deps
    const [{ id } = { id: "" }] = await listWaiting(database, people, KINDS)
    const given = { id, adminId: BOB, note: "Checked the list" }
    const { operation } = await approvePayout(harness.deps, given)
    await checkAfter(request.idempotencyKey, 4 * SECOND)
    expect(await readOperation(harness.deps, operation.id)).toMatchObject({
      asked_by: ADA,
      note: "October wages",
      approval: { approved_by: BOB, answer: "Checked the list" },
    })
    const lines = await sheetLines()
    expect(lines.filter(({ Reason: reason }) => reason === "October wages")).toEqual([
      expect.objectContaining({
        Type: "Payout",
        Recipient: expect.stringContaining(request.name),
        "Asked by": "Ada King",
        "Approved by": "Bob Roe",
        "Approver's reason": "Checked the list",
      }),
    ])
  })
})

describe("[S15] a daily cap", () => {
  beforeEach(() => rules({ money_out_daily_cap: { USD: 100, "*": 1_000 } }))

  it("counts payouts and transfers of one currency together, for a day", async () => {
    const first = payoutOf({ amount: 40 })
    const { id } = await pay(first)
    await transfer({ amount: 50 })
    const refused = payoutOf({ amount: "10.01" })
    await expect(pay(refused)).rejects.toMatchObject({
      code: "money_out_above_cap",
      details: { left: "10.00" },
    })
    expect(await under(refused.idempotencyKey)).toBeUndefined()
    expect(await pay(payoutOf({ amount: 500, currency: "LRD" }))).toMatchObject({ amount: 500 })
    await pay(payoutOf({ amount: 10 }))
    await harness.pass(id, DAY)
    expect(await pay(payoutOf({ amount: 40 }))).toMatchObject({ amount: 40 })
  })

  it("is free again for the amount of a payout that failed", async () => {
    const wrong = payoutOf({ amount: 100, passcode: passcodeOf(WRONG) })
    expect(await codeOf(pay(wrong))).toBe("wrong_passcode")
    expect(await codeOf(pay(payoutOf({ amount: 100 })))).toBe("money_out_above_cap")
    for (const ms of [SECOND, MINUTE]) await checkAfter(wrong.idempotencyKey, ms, 0)
    expect(await pay(payoutOf({ amount: 100 }))).toMatchObject({ amount: 100 })
  })

  it("holds for twelve payouts at once", async () => {
    const before = sentIn()
    const all = await Promise.all(
      Array.from({ length: 12 }, () => codeOf(pay(payoutOf({ amount: 30 })))),
    )
    expect(all.filter((one) => one === "money_out_above_cap")).toHaveLength(9)
    expect(sentIn()).toBe(before + 3)
  })
})

describe("[S15] a payout above the limit", () => {
  const ada = { askedBy: "user_ada" }
  const bob = { askedBy: "user_bob" }
  beforeEach(() => rules({ money_out_second_admin_above: { USD: 20 }, money_out_by_api_key: true }))

  const requests = () => listWaiting(harness.ledger.database, harness.deps.people, KINDS)
  async function approve(by: string) {
    const [request] = await requests()
    const answer = { id: request?.id ?? "", adminId: by, note: undefined }
    return payoutView(await approvePayout(harness.deps, answer))
  }

  it("waits, and goes when another admin approves it", async () => {
    const asked = payoutOf({ ...ada, amount: 25 })
    const before = sentIn()
    for (const again of [ada, ada, bob]) {
      expect(await codeOf(pay({ ...asked, ...again }))).toBe("money_out_needs_second_admin")
    }
    expect(await codeOf(pay(payoutOf({ amount: 25, askedBy: "apk_01JKEY" })))).toBe(
      "money_out_needs_second_admin",
    )
    expect(await requests()).toMatchObject([
      { askedBy: "user_ada", details: { amount: "25.00", recipient_name: "Ada Carpenter" } },
    ])
    for (const other of [ADA, "apk_01JKEY"]) {
      expect(await codeOf(approve(other))).toMatch(/^request_(is_own|needs_person)$/)
    }
    expect(sentIn()).toBe(before)
    const kept = JSON.stringify(await harness.ledger.sql("select * from mp_approval"))
    expect(kept).not.toMatch(/2317700|CANARY/)
    const sent = await approve("user_bob")
    expect(sent).toMatchObject({ created_by: ADA, idempotency_key: asked.idempotencyKey })
    expect(sentIn()).toBe(before + 1)
    expect(await pay(asked)).toMatchObject({ id: sent.id })
    expect(await harness.ledger.sql("select sealed from mp_approval")).toEqual(
      expect.not.arrayContaining([{ sealed: expect.anything() }]),
    )
    // Used up: the same once more needs both once more.
    expect(await codeOf(pay(payoutOf({ ...bob, amount: 25 })))).toBe("money_out_needs_second_admin")
  })

  it("keeps no secret of a request that has aged", async () => {
    expect(await codeOf(pay(payoutOf({ ...ada, amount: 25 })))).toBe("money_out_needs_second_admin")
    const kept = () => harness.ledger.sql("select id from mp_approval where sealed is not null")
    await retain(harness.deps, () => Promise.resolve())
    expect(await kept()).toHaveLength(1)
    await aDayPasses()
    await retain(harness.deps, () => Promise.resolve())
    expect(await kept()).toEqual([])
  })

  it("may be reached by parts together, even two at once", async () => {
    await pay(payoutOf({ ...ada, amount: 12 }))
    expect(await codeOf(transfer({ ...ada, amount: 9 }))).toBe("money_out_needs_second_admin")
    await aDayPasses()
    const both = await Promise.all(
      [12, 12.01].map((amount) => codeOf(pay(payoutOf({ ...ada, amount })))),
    )
    expect(both.filter((one) => one === "money_out_needs_second_admin")).toHaveLength(1)
  })

  it("waits and goes in the same way where it is a transfer", async () => {
    const asked = await transferOf({ ...ada, amount: "31.00" })
    expect(await codeOf(requestTransfer(harness.deps, asked))).toBe("money_out_needs_second_admin")
    const sent = await approve("user_bob")
    expect(sent).toMatchObject({ type: "TRANSFER", amount: 31, created_by: ADA })
    expect(payoutView(await requestTransfer(harness.deps, asked)).id).toBe(sent.id)
  })

  it("waits on where nothing was sent, and its key goes on", async () => {
    const asked = payoutOf({ ...ada, amount: 25 })
    expect(await codeOf(pay(asked))).toBe("money_out_needs_second_admin")
    harness.simulator.faults.script("createPayoutSession", ["500"])
    await expect(approve("user_bob")).rejects.toMatchObject({
      code: "gateway_unavailable",
      details: { state: "expired", ended: true },
    })
    expect(await codeOf(pay(asked))).toBe("money_out_needs_second_admin")
    const sent = await approve("user_eve")
    expect(await pay(asked)).toMatchObject({ id: sent.id, state: "in_flight" })
  })

  it("is used up where its refused sending may have landed", async () => {
    const asked = payoutOf({ ...ada, amount: 26, passcode: passcodeOf(WRONG) })
    expect(await codeOf(pay(asked))).toBe("money_out_needs_second_admin")
    await expect(approve("user_bob")).rejects.toMatchObject({
      code: "wrong_passcode",
      details: { state: "submitted", ended: false },
    })
    expect(await requests()).toEqual([])
    expect(await pay(asked)).toMatchObject({ state: "submitted" })
    for (const ms of [SECOND, MINUTE]) await checkAfter(asked.idempotencyKey, ms, 0)
    expect(await pay(asked)).toMatchObject({ state: "expired" })
  })

  it.each(["user_bob", ADA])(
    "can't be approved once %s has refused or withdrawn it",
    async (by) => {
      const asked = payoutOf({ ...ada, amount: 27 })
      expect(await codeOf(pay(asked))).toBe("money_out_needs_second_admin")
      const [request] = await requests()
      const { database } = harness.ledger
      const given = { id: request?.id ?? "", kinds: KINDS, adminId: by, answer: "not this month" }
      await closeRequest(database, harness.deps.people, given)
      await expect(
        approvePayout(harness.deps, {
          id: request?.id ?? "",
          adminId: "user_eve",
          note: undefined,
        }),
      ).rejects.toMatchObject({ code: "request_ended", details: { ended: true } })
      await expect(pay(asked)).rejects.toMatchObject({ code: "request_ended" })
      expect(await codeOf(pay(payoutOf({ ...ada, amount: 27 })))).toBe(
        "money_out_needs_second_admin",
      )
    },
  )
})
