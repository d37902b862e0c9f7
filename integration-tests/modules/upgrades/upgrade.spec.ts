/**
 * A store of the first migration with money under way is upgraded, and rolled back: the new code
 * finishes what the old code began, and the old code finishes on newer tables what the new code
 * began. UPGRADE_OLD_PACKAGE names an unpacked package whose code is the old one.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { fittingTables, TablesNotMigrated } from "../../../src/ledger/fitting-tables"
import { startPayment } from "../../../src/checkout/start-payment"
import { requestPayout } from "../../../src/payouts/request-payout"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { drivenClock } from "../../support/driven-clock"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { openMedusaRefund, writeMedusaRefund } from "../../support/medusa-refunds-in-memory"
import { payoutOf, usePayoutsHarness } from "../../support/payouts-harness"
import {
  asOfFirstMigration,
  migrateFromFirst,
  migrateToCome,
  NEEDED_TO_COME,
  oldCode,
  type VersionCode,
} from "../../support/upgrade"

const { harness } = usePayoutsHarness()

const NEW: VersionCode = { startPayment, checkDueOperations, sendRefundOfMedusa, requestPayout }

const PUSH_OUT = "a prompt that is out"
const PAGE_OPEN = "a page that is open"
const REFUNDED = "a paid order whose money goes back"

type InFlight = {
  readonly collectionIds: Readonly<Record<string, string>>
  readonly payoutKey: string
}

/** What is due is done, by this code, however long it takes at the gateway. */
async function untilDone(code: VersionCode): Promise<void> {
  for (let pass = 0; pass < 5; pass++) {
    const due = await harness.ledger.sql(
      "select id from mp_operation where next_check_at is not null and recorded_at is null",
    )
    harness.later(3 * SECOND)
    for (const { id } of due) await harness.pass(String(id), 3 * SECOND)
    await code.checkDueOperations(harness.deps, { atMost: 50 })
  }
}

function approve({ flow, reference, sourceId }: Operation): void {
  if (flow === "hosted") harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
  else harness.simulator.handset.approve(reference ?? "")
}

/** Money of each kind, under way by this code. */
async function putInFlight(code: VersionCode): Promise<InFlight> {
  const begun = async (providerId: string) => {
    const { sessionId, collectionId } = harness.cart(providerId)
    await code.startPayment(harness.deps, { sessionId, phone: PHONE })
    return collectionId
  }
  const refunded = await begun(PUSH)
  approve(await harness.shown(refunded))
  await untilDone(code)
  const cart = harness.of(refunded)
  const row = openMedusaRefund(cart, "19.99", "user_ada")
  await code.sendRefundOfMedusa(harness.deps, row)
  writeMedusaRefund(cart, row)
  const payout = payoutOf()
  await code.requestPayout(harness.deps, payout)
  const pushOut = await begun(PUSH)
  const pageOpen = await begun(HOSTED)
  return {
    collectionIds: { [PUSH_OUT]: pushOut, [PAGE_OPEN]: pageOpen, [REFUNDED]: refunded },
    payoutKey: payout.idempotencyKey,
  }
}

/** The payers pay, and this code brings each kind to its end, once. */
async function expectFinished(code: VersionCode, { collectionIds, payoutKey }: InFlight) {
  for (const kind of [PUSH_OUT, PAGE_OPEN]) {
    approve(await harness.shown(collectionIds[kind] ?? ""))
  }
  await untilDone(code)
  for (const [kind, collectionId] of Object.entries(collectionIds)) {
    const { state, recordedAt } = await harness.shown(collectionId)
    const { completions, payments } = harness.of(collectionId)
    expect({ kind, state, isRecorded: recordedAt !== null, completions, payments }).toEqual({
      kind,
      state: "completed",
      isRecorded: true,
      completions: 1,
      payments: [expect.objectContaining({ isCaptured: true })],
    })
  }
  const others = await harness.ledger.sql(
    `select type, state from mp_operation
      where idempotency_key = $1
         or parent_id = (select id from mp_operation where payment_collection_id = $2 and type = 'COLLECTION')
      order by type`,
    [payoutKey, collectionIds[REFUNDED]],
  )
  expect(others).toEqual([
    { type: "PAYOUT", state: "completed" },
    { type: "REFUND", state: "completed" },
  ])
}

it("[P30] the new code finishes on migrated tables what was under way on the first", async () => {
  const inFlight = await putInFlight(NEW)
  await asOfFirstMigration(harness.ledger)
  await migrateFromFirst(harness.ledger)
  await expectFinished(NEW, inFlight)
  await expectFinished(NEW, await putInFlight(NEW))
})

describe("a future migration", () => {
  it("is waited for by the code that needs it, which then goes on by itself", async () => {
    const clock = drivenClock()
    const { logger, database } = harness.deps
    const guarded = fittingTables(database, { clock, logger }, NEEDED_TO_COME)
    expect(await guarded.missing()).toEqual(NEEDED_TO_COME.slice(-1))
    const question = () => guarded.database.query("select to_come from mp_start", [])
    await expect(question()).rejects.toThrow(TablesNotMigrated)
    await migrateToCome(harness.ledger)
    clock.pass(LIMITS.tablesAskedEveryMs)
    expect(await question()).toEqual([])
  })

  it("[P30] lets the old code finish on newer tables what the new code began", async () => {
    const inFlight = await putInFlight(NEW)
    await expectFinished(oldCode(), inFlight)
  })

  it("[P30] lets the old code begin and finish on newer tables, and the new code after it", async () => {
    const old = oldCode()
    await expectFinished(old, await putInFlight(old))
    await expectFinished(NEW, await putInFlight(old))
  })
})
