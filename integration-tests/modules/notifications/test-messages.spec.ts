/** The message by which an admin tries a channel: it costs the shop money, and may go to anyone. */
import type { AdminId } from "../../../src/core/ids"
import { LIMITS } from "../../../src/core/limits"
import { testNotification } from "../../../src/notifications/settings"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { notifyScene } from "../../support/notify-scene"

const ADMIN: AdminId = "user_ada"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

it("[D15] a test of a channel is sent by a person, recorded, and not in any number", async () => {
  const scene = notifyScene(ledger, { email: () => Promise.resolve() })
  const test = (admin: AdminId) =>
    testNotification(scene.deps, admin, { channel: "email", address: "a@b.example", locale: "en" })
  await expect(test("apk_of_a_program")).rejects.toMatchObject({
    key: "request_needs_person.test",
  })
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => test(ADMIN)))
  const refused = tries.flatMap((one) =>
    one.status === "rejected" ? [(one.reason as { key: string }).key] : [],
  )
  const sent = tries.length - refused.length
  expect(sent).toBe(LIMITS.testMessagesAtOnce)
  expect(scene.notifier.sent).toHaveLength(sent)
  expect(new Set(refused)).toEqual(new Set(["too_many_requests"]))
  const rows = await ledger.sql(
    "select recipient_id, channel, state from mp_notification where kind = 'test'",
  )
  const recorded = { recipient_id: ADMIN, channel: "email", state: "sent" }
  expect(rows).toEqual(Array.from({ length: sent }, () => recorded))
})
