/** Notifications: their words, who chooses them, and those about problems that have no event. */
import { LIMITS } from "../../../src/core/limits"
import { changeNotifications, testNotification } from "../../../src/notifications/settings"
import { queueHappenings, queueNotifications } from "../../../src/notifications/queue"
import type { Recipient, SettingsInput } from "../../../src/notifications/rules/settings"
import { watchJob, watchOperators } from "../../../src/notifications/trouble"
import { watchTheJob } from "../../../src/medusa/passes/watch-the-job"
import { readOverview } from "../../../src/reconciliation/read-overview"
import { prune } from "../../../src/reconciliation/sql/prune"
import { drivenClock } from "../../support/driven-clock"
import { advanced, collected, startLedgerDatabase, submitted } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"
import { CUSTOMER_PHONE, notifyScene, one } from "../../support/notify-scene"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

beforeEach(async () => {
  await queueHappenings({ database: ledger.database })
  await ledger.sql("delete from mp_notification")
  await ledger.sql("delete from mp_notification_trouble")
  await ledger.sql("delete from mp_notification_settings")
  await ledger.sql("delete from mp_notification_change")
  await ledger.sql("delete from mp_bucket")
})

const fine = () => Promise.resolve()
const paid = (draft = {}) => collected(ledger.database, { draft: { orderId: "order_1", ...draft } })

const declined = async () => {
  const operation = await submitted(ledger.database)
  return advanced(ledger.database, operation, {
    event: "fail",
    code: "gateway_refused",
    changes: { reason: "operator_unavailable" },
    next: "never",
  })
}

describe("a notification", () => {
  it("is in the reader's language, without a whole phone number", async () => {
    const scene = notifyScene(ledger, { email: fine, sms: fine })
    await scene.tell({
      recipients: [
        one({ id: "en" }),
        one({ id: "fr", channel: "sms", address: "+231770123456", locale: "fr" }),
        one({ id: "feed", channel: "feed", address: null }),
      ],
    })
    await paid()
    await scene.run()
    const by = (channel: string) =>
      scene.notifier.sent.find((message) => message.channel === channel)
    expect(by("email")).toMatchObject({
      to: "ada@example.com",
      template: "merchant-payments.money-received",
      subject: "Money received: USD\u00a019.99",
      text: "Palm Wine & Sons: USD\u00a019.99 was paid for order #23, phone ending in 456.",
      html: expect.stringContaining("Palm Wine &amp; Sons"),
      data: { amount: "19.99", currency: "USD", order_number: "23", kind: "money_received" },
    })
    // The receipt's link is for the customer alone.
    expect(by("email")?.data).toMatchObject({ receipt_url: null })
    expect(by("sms")?.text).toBe(
      "Palm Wine & Sons : 19,99 USD ont été payés pour la commande no 23, " +
        "téléphone se terminant par 456.",
    )
    // The feed has no provider here: Medusa's own record is what admins see.
    expect([...scene.notifier.records.keys()].filter((key) => key.endsWith(":feed"))).toHaveLength(
      1,
    )
    const sent = JSON.stringify(scene.notifier.sent.map(({ to: _to, ...rest }) => rest))
    // An id may have as many digits in a row by chance.
    expect(sent.replace(/mpop_[0-9a-f-]+/g, "")).not.toMatch(/\d{8}/)
  })

  it("sends the customer the receipt only once Medusa has recorded the order as paid", async () => {
    const scene = notifyScene(ledger, { email: fine, sms: fine })
    const kinds = ["customer_paid" as const]
    const rules = ["email", "sms"].map((channel) => ({ channel, kinds, since: null }))
    await scene.tell({ customers: { locale: "en", rules } })
    const operation = await collected(ledger.database, {
      draft: { orderId: "order_1" },
      changes: { recordedAt: false },
    })
    await scene.run()
    expect(scene.notifier.sent).toEqual([])
    await ledger.sql("update mp_operation set recorded_at = now() where id = $1", [operation.id])
    await scene.later()
    await scene.run()
    expect(scene.notifier.sent.map(({ to }) => to).sort()).toEqual([
      CUSTOMER_PHONE,
      "shopper@example.com",
    ])
    expect(scene.notifier.sent[0]?.text).toMatch(/^Palm Wine & Sons has received your payment/)
    const receipt = "https://shop.example/receipt/of-order_1"
    for (const { text, data } of scene.notifier.sent) {
      expect(text).toContain(receipt)
      expect(data).toMatchObject({ receipt_url: receipt, order_number: "23" })
    }
  })

  it("that sums up a day has the sums of Home, whenever the payments began", async () => {
    const scene = notifyScene(ledger, { email: fine })
    const schedule = { mode: "daily", hour: 7, time_zone: "Africa/Kigali" } as const
    await scene.tell({ recipients: [one({ schedule })] })
    for (const collectedMinor of [1_999n, 2_500n, 1n]) {
      const { id } = await collected(ledger.database, { changes: { collectedMinor } })
      await ledger.sql(
        "update mp_operation set created_at = now() - interval '3 days' where id = $1",
        [id],
      )
    }
    await scene.run()
    await scene.later()
    await scene.run()
    const accounts = () => Promise.resolve([])
    const { periods } = await readOverview({ ...scene.deps, accounts }, "Africa/Kigali")
    const today = periods.find(({ period }) => period === "today")
    const summary = scene.notifier.sent.at(-1)?.data["summary"]
    expect(today?.sums[0]?.received).not.toBe("0.00")
    expect(summary).toMatchObject({ sums: today?.sums })
  })

  it("isn't sent about an event from before the recipient was added", async () => {
    const scene = notifyScene(ledger, { email: fine })
    await paid()
    await scene.tell({ recipients: [one({ since: new Date(Date.now() + 60_000).toISOString() })] })
    await scene.run()
    expect(await scene.rows()).toEqual([])
  })

  it("is queued once for an event, however often a caller reports it", async () => {
    const scene = notifyScene(ledger, { email: fine })
    await scene.tell({ recipients: [one({ kinds: ["job_stopped"] })] })
    const event = {
      eventId: "a-test",
      kind: "job_stopped",
      operationId: null,
      occurredAt: new Date(),
    } as const
    expect(await queueNotifications(scene.deps, event)).toBe(1)
    expect(await queueNotifications(scene.deps, event)).toBe(0)
  })

  it("is deleted when its retention period ends, and never while it waits", async () => {
    const scene = notifyScene(ledger, { email: fine, sms: () => Promise.reject(new Error("no")) })
    await scene.tell({ recipients: [one({}), one({ id: "s", channel: "sms" })] })
    await paid()
    await scene.run()
    await ledger.sql("update mp_notification set ended_at = ended_at - interval '91 days'")
    const keptForMs = LIMITS.notificationsKeptForMs
    expect(await prune(ledger.database, "notifications", { keptForMs, limit: 10 })).toBe(1)
    expect((await scene.rows()).map(({ state }) => state)).toEqual(["waiting"])
  })
})

it("a notification names an operator as the account does", async () => {
  const names = { OPERATOR1_MOMO_LBR: "LIVE_MOMO", "OPERATOR1_MOMO_LBR.label": "Ducor Money" }
  await ledger.sql("update mp_account set wire_names = $1", [JSON.stringify(names)])
  try {
    const scene = notifyScene(ledger, { email: fine })
    await scene.tell({ recipients: [one({})] })
    const { id } = await paid()
    await ledger.sql("update mp_operation set payment_method = 'LIVE_MOMO' where id = $1", [id])
    await scene.run()
    expect(scene.notifier.sent[0]?.text).toMatch(/ for order #23, with Ducor Money, phone/)
  } finally {
    await ledger.sql("update mp_account set wire_names = '{}'")
  }
})

describe("a problem is reported once, and once more when it is over,", () => {
  it("when an operator fails", async () => {
    await ledger.sql("update mp_operation set created_at = now() - interval '1 day'")
    const scene = notifyScene(ledger, { email: fine })
    await scene.tell({ recipients: [one({ kinds: ["operator_trouble"] })] })
    const check = async () => {
      await ledger.sql("update mp_operation set payment_method = 'OPERATOR1_MOMO_LBR'")
      await Promise.all([watchOperators(scene.deps), watchOperators(scene.deps)])
      return (await scene.rows()).map(({ kind }) => kind)
    }
    for (let made = 1; made < LIMITS.operatorTroubleLeast; made++) await declined()
    expect(await check()).toEqual([])
    await declined()
    expect(await check()).toEqual(["operator_trouble"])
    await scene.run()
    await declined()
    expect(await check()).toEqual(["operator_trouble"])
    // As many succeed as have failed: not in trouble by the number, and not over either.
    const succeed = async (times: number) => {
      for (let made = 0; made < times; made++) {
        await collected(ledger.database)
      }
    }
    await succeed(6)
    expect(await check()).toEqual(["operator_trouble"])
    await succeed(13)
    expect(await check()).toEqual(["operator_recovered", "operator_trouble"])
    expect(await check()).toHaveLength(2)
    await scene.run()
    expect(scene.notifier.sent.map(({ subject }) => subject)).toEqual([
      "Operator 1 Mobile Money (Liberia) is in trouble",
      "Operator 1 Mobile Money (Liberia) is no longer in trouble",
    ])
  })

  it("when the job stops, by whichever process notices first", async () => {
    await ledger.sql("delete from mp_worker")
    const scene = notifyScene(ledger, { email: fine })
    await scene.tell({ recipients: [one({ kinds: ["job_stopped"] })] })
    const check = async (watchedMs: number) => {
      await Promise.all([0, 1].map(() => watchJob(scene.deps, watchedMs)))
      return (await scene.rows()).map(({ kind }) => kind)
    }
    expect(await check(LIMITS.jobGoneAfterMs - 1)).toEqual([])
    expect(await check(LIMITS.jobGoneAfterMs)).toEqual(["job_stopped"])
    expect(await check(LIMITS.jobGoneAfterMs * 3)).toEqual(["job_stopped"])
    await ledger.sql("insert into mp_worker (id) values ('worker')")
    expect(await check(0)).toEqual(["job_runs_again", "job_stopped"])
    // The next outage is another one.
    await ledger.sql("update mp_worker set seen_at = now() - interval '10 minutes'")
    expect(await check(1)).toHaveLength(3)
    await ledger.sql("delete from mp_worker")
  })
})

/** As an admin's page sends it. */
const asAsked = (given: Partial<Recipient>): SettingsInput["recipients"][number] => {
  const { id, name, channel, address, locale, kinds, schedule } = one(given)
  return { id, name, channel, address, locale, kinds, schedule }
}

it("a process that serves the store reports once by itself that the job has stopped", async () => {
  await ledger.sql("delete from mp_worker")
  const clock = drivenClock()
  const scene = notifyScene(ledger, { email: fine }, clock)
  await scene.tell({ recipients: [one({ kinds: ["job_stopped"] })] })
  const pending: (() => void)[] = []
  const end = watchTheJob(
    () => scene.deps,
    () => new Promise((resolve) => pending.push(resolve)),
  )
  const waiting = async () => {
    while (pending.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (let minute = 0; minute < 8; minute++) {
    await waiting()
    clock.pass(LIMITS.jobWatchEveryMs)
    pending.splice(0).forEach((go) => go())
  }
  await waiting()
  expect(scene.notifier.sent.map(({ subject }) => subject)).toEqual(["Payments are not checked"])
  await ledger.sql("insert into mp_worker (id) values ('worker')")
  pending.splice(0).forEach((go) => go())
  await waiting()
  // What is due is the job's own to send now.
  await scene.run()
  expect(scene.notifier.sent.map(({ subject }) => subject)).toEqual([
    "Payments are not checked",
    "Payments are checked again",
  ])
  end()
  pending.splice(0).forEach((go) => go())
  await ledger.sql("delete from mp_worker")
})

it("[P40] passes that have stopped are one error in the log, which asks for no worker while one runs", async () => {
  await ledger.sql("delete from mp_worker")
  const scene = notifyScene(ledger, { email: fine })
  const pending: (() => void)[] = []
  const end = watchTheJob(
    () => scene.deps,
    () => new Promise((resolve) => pending.push(resolve)),
  )
  const waiting = async () => {
    while (pending.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const check = async (worker: { passedMsAgo: number; seenMsAgo: number }) => {
    await ledger.sql(
      `insert into mp_worker (id, seen_at, heard_since, passed_at)
       values ('worker', now() - $1 * interval '1 ms', now(), now() - $2 * interval '1 ms')
       on conflict (id) do update
         set seen_at = excluded.seen_at, passed_at = excluded.passed_at`,
      [worker.seenMsAgo, worker.passedMsAgo],
    )
    await waiting()
    pending.splice(0).forEach((go) => go())
    await waiting()
    return scene.logged.splice(0)
  }
  expect(await check({ seenMsAgo: 0, passedMsAgo: 0 })).toEqual([])
  const stuck = await check({ seenMsAgo: 0, passedMsAgo: 45_000 })
  expect(stuck).toEqual([expect.stringContaining("signs of life: 1")])
  expect(stuck.join()).not.toContain("Start a process")
  expect(await check({ seenMsAgo: 0, passedMsAgo: 90_000 })).toEqual([])
  expect(await check({ seenMsAgo: 0, passedMsAgo: 0 })).toEqual([
    expect.stringContaining("the job runs again"),
  ])
  // A deployment has no worker for a while.
  expect(await check({ seenMsAgo: 45_000, passedMsAgo: 45_000 })).toEqual([])
  const goneMs = LIMITS.jobGoneAfterMs
  expect(await check({ seenMsAgo: goneMs, passedMsAgo: goneMs })).toEqual([
    expect.stringContaining("Start a process"),
  ])
  end()
  pending.splice(0).forEach((go) => go())
  await ledger.sql("delete from mp_worker")
})

describe("the settings of notifications", () => {
  const ADMIN = "user_ada"

  it("keep who changed what, and refuse a change that another admin was faster with", async () => {
    const scene = notifyScene(ledger, { email: fine })
    const ada = asAsked({})
    const customers = { locale: "en", rules: [] } as const
    const change = (version: number, recipients: readonly (typeof ada)[]) =>
      changeNotifications(scene.deps, { version, recipients, customers }, ADMIN)
    const first = await change(0, [ada])
    expect(first).toMatchObject({ version: 1, recipients: [ada], channels: ["feed", "email"] })
    await expect(change(0, [])).rejects.toMatchObject({ code: "changed_meanwhile" })
    const second = await change(1, [{ ...ada, address: "bea@example.com" }])
    expect(second.changes[0]).toMatchObject({
      by: ADMIN,
      changes: [{ what: "changed", name: "Ada", fields: ["address"] }],
    })
    expect(JSON.stringify(second.changes)).not.toContain("example.com")
    const races = await Promise.allSettled([change(2, []), change(2, [])])
    expect(races.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  })

  it.each([
    ["a channel that the shop doesn't have", { channel: "pigeon" }, "invalid_request.one_of"],
    ["a wrong e-mail address", { address: "ada" }, "invalid_request.email_address"],
    [
      "a phone number without its country",
      { channel: "sms", address: "0770123456" },
      "invalid_request.phone_address",
    ],
  ])("refuse %s", async (_name, given, key) => {
    const scene = notifyScene(ledger, { email: fine, sms: fine })
    const wrong = asAsked(given)
    const body = {
      version: 0,
      recipients: [wrong],
      customers: { locale: "en", rules: [] },
    } as const
    await expect(changeNotifications(scene.deps, body, ADMIN)).rejects.toMatchObject({ key })
  })

  it("report truthfully how a test of a channel went", async () => {
    const clock = drivenClock()
    let asked = false
    const scene = notifyScene(
      ledger,
      {
        email: fine,
        sms: () => Promise.reject(new Error("no credit left")),
        whatsapp: () => ((asked = true), new Promise<void>(() => {})),
      },
      clock,
    )
    const test = (channel: string, address: string | null = "+231770123456") =>
      testNotification(scene.deps, ADMIN, { channel, address, locale: "fr" })
    expect(await test("email", "ada@example.com")).toEqual({ state: "sent", problem: null })
    expect(scene.notifier.sent[0]?.subject).toBe("Essai des notifications de paiement")
    expect(await test("sms")).toEqual({ state: "failed", problem: "no credit left" })
    expect(await test("pigeon")).toEqual({ state: "failed", problem: "no_provider" })
    expect(await test("feed", null)).toEqual({ state: "sent", problem: null })
    const late = test("whatsapp")
    while (!asked) await new Promise((resolve) => setImmediate(resolve))
    clock.pass(LIMITS.notifyWithinMs)
    expect(await late).toEqual({ state: "late", problem: "no_answer" })
  })
})
