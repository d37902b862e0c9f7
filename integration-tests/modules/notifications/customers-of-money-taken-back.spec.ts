/** An operator takes a paid payment back: its customer is told so, by the choice for refunds. */
import { queueTakenBack } from "../../../src/notifications/queue"
import { collected, startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { notifyScene } from "../../support/notify-scene"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const fine = () => Promise.resolve()
const paid = () => collected(ledger.database, { draft: { orderId: "order_1" } })

it("customers are told once that their operator took the money back, while that is so", async () => {
  const scene = notifyScene(ledger, { email: fine })
  await scene.tell({
    customers: {
      locale: "en",
      rules: [{ channel: "email", kinds: ["customer_paid", "customer_refunded"], since: null }],
    },
  })
  const [gone, back] = [await paid(), await paid()]
  const take = (ids: readonly string[], at: string) =>
    ledger.sql(
      `update mp_operation set recorded_at = now(), taken_back_at = ${at} where id = any($1)`,
      [ids],
    )
  await take([gone.id, back.id], "now()")
  await queueTakenBack(scene.deps)
  await take([back.id], "null")
  await scene.run()
  await scene.run()
  expect(
    scene.notifier.sent.map(({ subject, to }) => [subject.replace(/\s/g, " "), to]).sort(),
  ).toEqual([
    ["Your payment of USD 19.99 to Palm Wine & Sons was taken back", "shopper@example.com"],
    ["Your payment to Palm Wine & Sons: USD 19.99", "shopper@example.com"],
  ])
  await take([gone.id], "null")
})
