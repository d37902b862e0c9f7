/** [P19] A program's idempotency key means the same movement of money after a backup is played back. */
import type { Refusal } from "../../../src/core/refusal"
import { listWaiting } from "../../../src/ledger/requests"
import { findBehind, noticeBehind } from "../../../src/ledger/database-mark"
import { approvePayout } from "../../../src/payouts/approve-payout"
import { requestPayout } from "../../../src/payouts/request-payout"
import { requestTransfer } from "../../../src/payouts/request-transfer"
import { SECOND } from "../../support/an-operation"
import { letMoneyOut, payoutOf, usePayoutsHarness } from "../../support/payouts-harness"
import { backUp } from "../../support/play-back"

const { harness, pay, transferOf, under, checkAfter, sentIn } = usePayoutsHarness()

const MONEY_OUT = [
  [
    "payout",
    async () => {
      const asked = payoutOf()
      return { key: asked.idempotencyKey, send: () => pay(asked) }
    },
  ],
  [
    "transfer",
    async () => {
      const asked = await transferOf()
      return {
        key: asked.idempotencyKey,
        send: () => requestTransfer(harness.deps, asked).then(({ operation }) => operation),
      }
    },
  ],
] as const

beforeEach(() => harness.ledger.sql("truncate mp_database_mark"))

describe.each(MONEY_OUT)("a %s that a backup lacks", (_name, asking) => {
  it.each([
    ["once the restore is noticed", true],
    ["though nobody noticed the restore", false],
  ])("is not sent again under its key, %s", async (_when, isNoticed) => {
    const { key, send } = await asking()
    const playBack = await backUp(harness)
    const before = sentIn()
    const { reference } = await send()
    await checkAfter(key, 4 * SECOND)
    expect(sentIn()).toBe(before + 1)
    await playBack()
    expect(await under(key)).toBeUndefined()
    if (isNoticed) await noticeBehind(harness.deps.database, "person")
    await send().catch(() => undefined)
    harness.later(4 * SECOND)
    expect(await checkAfter(key, 4 * SECOND)).toMatchObject({ state: "completed", reference })
    expect(sentIn()).toBe(before + 1)
    if (isNoticed) expect(await findBehind(harness.deps.database)).toBeDefined()
  })
})

it("a second key that a waiting request was given is answered with the key that no restore loses", async () => {
  await letMoneyOut(harness.ledger, { money_out_second_admin_above: { "*": 0 } })
  const [first, second] = [payoutOf({ askedBy: "user_ada" }), payoutOf({ askedBy: "user_eve" })]
  const ask = (idempotencyKey: string) =>
    requestPayout(harness.deps, { ...second, idempotencyKey }).catch((refused: Refusal) => refused)
  const approve = async () => {
    const [request] = await listWaiting(harness.deps.database, harness.deps.people, ["PAYOUT"])
    const answer = { id: request?.id ?? "", adminId: "user_bob", note: undefined }
    return approvePayout(harness.deps, answer)
  }
  const playBack = await backUp(harness, "mp_approval")
  const before = sentIn()
  await expect(requestPayout(harness.deps, first)).rejects.toMatchObject({
    details: { idempotency_key: first.idempotencyKey },
  })
  const joined = await ask(second.idempotencyKey)
  expect(joined).toMatchObject({ details: { idempotency_key: first.idempotencyKey } })
  await approve()
  await checkAfter(first.idempotencyKey, 4 * SECOND)
  await playBack()
  await ask(first.idempotencyKey)
  await approve().catch(() => undefined)
  harness.later(4 * SECOND)
  expect(await checkAfter(first.idempotencyKey, 4 * SECOND)).toMatchObject({ state: "completed" })
  expect(sentIn()).toBe(before + 1)
})
