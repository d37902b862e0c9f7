/**
 * A payout or transfer that one admin asks for and another approves, in drawn orders of events
 * (`histories/two-admins.ts`). One intention is one movement of money.
 */
import fc from "fast-check"
import { listWaiting } from "../../../src/ledger/requests"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { payoutView } from "../../../src/payouts/payout-view"
import { requestPayout } from "../../../src/payouts/request-payout"
import { EXAMPLES, momentsOf, playRequests } from "../../histories/two-admins"
import { moneyOutOf, PAYOUT_FAULTS, TRANSFER_FAULTS } from "../../support/agreed-kinds"
import { MINUTE } from "../../support/an-operation"
import { letMoneyOut, payoutOf, usePayoutsHarness } from "../../support/payouts-harness"

const tools = usePayoutsHarness()
const { harness, checkAfter, sentIn } = tools
const ALWAYS = { money_out_second_admin_above: { "*": 0 } }

beforeEach(() => letMoneyOut(harness.ledger, ALWAYS))

it.each([
  ["payout", "PAYOUT", PAYOUT_FAULTS],
  ["transfer", "TRANSFER", TRANSFER_FAULTS],
] as const)(
  "[S15] a %s moves money once for each request that another admin approved, in any order of events",
  async (_name, type, faults) => {
    const moments = momentsOf(faults, { minLength: 2, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(moments, async (drawn) =>
        playRequests(await moneyOutOf(tools, type), drawn),
      ),
      { numRuns: 20, examples: EXAMPLES.map((one): [typeof one] => [one]) },
    )
  },
  240_000,
)

describe("[S15] a payout that one admin asks for and another approves", () => {
  it.each([false, true])(
    "goes once where the second admin clicks twice, and the first one presses again (new form: %s)",
    async (isNewForm) => {
      const first = payoutOf({ askedBy: "user_ada" })
      const before = sentIn()
      await expect(requestPayout(harness.deps, first)).rejects.toMatchObject({
        code: "money_out_needs_second_admin",
      })
      const [request] = await listWaiting(harness.deps.database, harness.deps.people, ["PAYOUT"])
      const answer = { id: request?.id ?? "", adminId: "user_bob", note: undefined }
      const both = await Promise.all([0, 1].map(() => approvePayout(harness.deps, answer)))
      const [one, other] = both.map((payout) => payoutView(payout).id)
      expect(one).toBe(other)
      if (isNewForm) {
        const anew = requestPayout(harness.deps, payoutOf({ askedBy: "user_bob" }))
        await expect(anew).rejects.toMatchObject({ code: "money_out_needs_second_admin" })
      }
      expect(payoutView(await requestPayout(harness.deps, first)).id).toBe(one)
      expect(sentIn()).toBe(before + 1)
    },
  )
})

describe("[S15] a key ends with a proven end alone", () => {
  beforeEach(() => letMoneyOut(harness.ledger, {}))

  it("so the gateway's refusal of what it carried out lets no second payout go, under no key", async () => {
    harness.simulator.faults.script("executePayout", ["422:after"])
    const asked = payoutOf({ name: "Recipient in doubt" })
    const before = sentIn()
    await expect(requestPayout(harness.deps, asked)).rejects.toMatchObject({
      code: "gateway_refused",
      details: { state: "submitted", ended: false },
    })
    const anew = payoutOf({ name: "Recipient in doubt" })
    await expect(requestPayout(harness.deps, anew)).rejects.toMatchObject({
      code: "money_out_in_doubt",
      details: { ended: false, idempotency_key: asked.idempotencyKey },
    })
    const same = payoutView(await requestPayout(harness.deps, asked))
    expect(same).toMatchObject({ state: "submitted" })
    await checkAfter(asked.idempotencyKey, MINUTE)
    expect(payoutView(await requestPayout(harness.deps, asked))).toMatchObject({
      id: same.id,
      state: expect.stringMatching(/^(in_flight|completed)$/) as string,
    })
    expect(sentIn()).toBe(before + 1)
  })
})
