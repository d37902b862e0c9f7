/** [P19] A program's idempotency key means the same movement of money after a backup is played back. */
import { findBehind, noticeBehind } from "../../../src/ledger/database-mark"
import { requestTransfer } from "../../../src/payouts/request-transfer"
import { SECOND } from "../../support/an-operation"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"
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
