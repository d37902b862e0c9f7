/** What waits for a second admin: who is told of it, and how often. */
import { queueRequests } from "../../../src/notifications/queue"
import { drivenClock } from "../../support/driven-clock"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { notifyScene, one } from "../../support/notify-scene"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const fine = () => Promise.resolve()

it("a notification of a request for a second admin is sent once, and not once the request was decided", async () => {
  const scene = notifyScene(ledger, { email: fine })
  await scene.tell({ recipients: [one({ kinds: ["decision_needed"] })] })
  const ask = (id: string) =>
    ledger.sql(
      `insert into mp_approval (id, kind, subject, open_subject, asked_by, keys, details)
       values ($1, 'PAYOUT', $1, $1, 'user_ada', '{}', '{"amount": "12.50", "currency": "USD"}')`,
      [id],
    )
  await ask("mpappr_told")
  await scene.run()
  await scene.later()
  await scene.run()
  expect(scene.notifier.sent).toMatchObject([
    {
      template: "merchant-payments.request-waiting",
      subject: "A request waits for a second admin",
      data: { request_id: "mpappr_told", amount: "12.50", currency: "USD" },
    },
  ])
  await ask("mpappr_decided")
  await queueRequests({ database: ledger.database, clock: drivenClock() })
  await ledger.sql("update mp_approval set refused_by = 'user_eve', closed_at = now()")
  await scene.run()
  expect(scene.notifier.sent).toHaveLength(1)
})
