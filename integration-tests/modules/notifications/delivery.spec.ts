/**
 * Delivery of notifications: each event once for each recipient and channel, whatever dies on the
 * way, and without delaying another channel. Medusa's notification module is faked with its keys.
 */
import fc from "fast-check"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { queueHappenings } from "../../../src/notifications/queue"
import type { Recipient } from "../../../src/notifications/rules/settings"
import { drivenClock } from "../../support/driven-clock"
import { advanced, collected, startLedgerDatabase, submitted } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"
import { notifyScene, one } from "../../support/notify-scene"
import { runs } from "../../support/whole-tables"

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
})

const fine = () => Promise.resolve()
const paid = (draft = {}) => collected(ledger.database, { draft: { orderId: "order_1", ...draft } })

const refused = async (operation: Operation) =>
  advanced(ledger.database, operation, { event: "doubt", code: "execution_reads", next: "never" })

describe("notifications reach each recipient and channel once, and none is lost,", () => {
  const recipient = fc.record({
    channel: fc.constantFrom("feed", "email", "sms"),
    kinds: fc.subarray(["money_received", "decision_needed"] as const),
    isDaily: fc.boolean(),
  })
  /** After how many exits each process dies; how the provider of text messages answers. */
  const deaths = fc.array(fc.nat({ max: 24 }), { maxLength: 6 })
  const answers = fc.array(fc.boolean(), { maxLength: 8 })

  it("whenever a process dies and however a provider fails", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(recipient, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom("paid", "review"), { minLength: 1, maxLength: 4 }),
        deaths,
        answers,
        async (chosen, events, exits, answered) => {
          await play({ chosen, events, exits, answered })
        },
      ),
      { numRuns: runs(300) },
    )
  })

  type Played = {
    readonly chosen: readonly {
      readonly channel: string
      readonly kinds: Recipient["kinds"]
      readonly isDaily: boolean
    }[]
    readonly events: readonly ("paid" | "review")[]
    readonly exits: readonly number[]
    readonly answered: readonly boolean[]
  }

  async function play({ chosen, events, exits, answered }: Played): Promise<void> {
    await queueHappenings({ database: ledger.database })
    await ledger.sql("delete from mp_notification")
    const plan = [...answered]
    const sms = () =>
      plan.shift() === false ? Promise.reject(new Error("no credit")) : Promise.resolve()
    const scene = notifyScene(ledger, { email: fine, sms })
    const recipients = chosen.map(({ channel, kinds, isDaily }, at) =>
      one({
        id: `r${at}`,
        channel,
        kinds,
        schedule: isDaily ? { mode: "daily", hour: 7, time_zone: "UTC" } : { mode: "at_once" },
      }),
    )
    await scene.tell({ recipients })
    const kinds: string[] = []
    for (const event of events) {
      if (event === "paid") await paid()
      else await refused(await submitted(ledger.database))
      kinds.push(event === "paid" ? "money_received" : "decision_needed")
    }
    let deaths = 0
    for (const after of exits) {
      if (await scene.dieAfter(after)) deaths++
      await scene.later()
    }
    for (let round = 0; round < 12; round++) {
      await scene.run()
      await scene.later()
    }
    await scene.aDayLater()
    await scene.run()

    const rows = await scene.rows()
    const single = rows.filter(({ kind }) => kind !== "summary")
    // None lost, none made twice: as many as the settings ask for.
    const expected = recipients.flatMap(({ id, kinds: asked }) =>
      kinds.filter((kind) => asked.some((one) => one === kind)).map(() => id),
    )
    expect(single.map(({ recipient_id }) => recipient_id).sort()).toEqual(expected.sort())
    // None sent twice.
    const times = new Map<string, number>()
    for (const { key } of scene.notifier.sent) times.set(key, (times.get(key) ?? 0) + 1)
    expect([...times.values()].filter((count) => count > 1)).toEqual([])
    for (const row of rows) {
      const { state, key, channel } = row
      const delivered = times.get(String(key)) ?? 0
      if (state === "sent" && channel !== "feed") expect(delivered).toBe(1)
      // Only where a process died while a provider was asked is it not known.
      else if (state === "unknown") expect(scene.notifier.records.get(String(key))).toBe("pending")
      else if (state === "sent") expect(scene.notifier.records.has(String(key))).toBe(true)
      else expect(state).toBe("summed")
    }
    const unknown = rows.filter(({ state }) => state === "unknown")
    expect(unknown.length).toBeLessThanOrEqual(deaths * LIMITS.notificationsAtOnce)
    // What was collected is in exactly one summary.
    const summaries = rows.filter(({ kind }) => kind === "summary")
    const counted = summaries.reduce((sum, { facts }) => {
      const { counts } = facts as { counts: Record<string, number> }
      return sum + Object.values(counts).reduce((all, count) => all + count, 0)
    }, 0)
    expect(counted).toBe(single.filter(({ state }) => state === "summed").length)
    for (const { summary_key, state } of single) {
      if (state === "summed") expect(summaries.map(({ key }) => key)).toContain(summary_key)
    }
  }

  it("when several workers send them at once", async () => {
    const scene = notifyScene(ledger, { email: fine })
    await scene.tell({ recipients: [one({})] })
    for (let made = 0; made < 12; made++) await paid()
    await Promise.all([0, 1, 2, 3].map(() => scene.run()))
    expect(scene.notifier.sent).toHaveLength(12)
    expect(new Set(scene.notifier.sent.map(({ key }) => key)).size).toBe(12)
  })
})

describe("a provider that is down delays only its channel", () => {
  it("when it hangs: it is waited for ten seconds and not asked again", async () => {
    const clock = drivenClock()
    let asked = 0
    const hangs = () => (asked++, new Promise<void>(() => {}))
    const scene = notifyScene(ledger, { email: fine, sms: hangs }, clock)
    await scene.tell({
      recipients: [one({ id: "sms", channel: "sms" }), one({ id: "mail" })],
    })
    await paid()
    const running = scene.run()
    while (asked === 0) await new Promise((resolve) => setImmediate(resolve))
    clock.pass(LIMITS.notifyWithinMs)
    await running
    expect(scene.notifier.sent.map(({ channel }) => channel)).toEqual(["email"])
    for (let round = 0; round < 3; round++) {
      await scene.later()
      await scene.run()
    }
    expect(asked).toBe(1)
    await scene.aDayLater()
    await scene.run()
    expect((await scene.rows()).map(({ channel, state }) => [channel, state])).toEqual([
      ["email", "sent"],
      ["sms", "unknown"],
    ])
    expect(scene.logged.filter((line) => line.includes("given up"))).toHaveLength(1)
  })

  it("when it fails: it is tried again at growing intervals, and given up after a day with one log line", async () => {
    const words = "no credit left for +231 77 012 3456, ask ada@example.com"
    const scene = notifyScene(ledger, { sms: () => Promise.reject(new Error(words)) })
    await scene.tell({ recipients: [one({ channel: "sms" })] })
    await paid()
    const gaps: number[] = []
    for (let round = 0; round < 6; round++) {
      await scene.run()
      const [row] = await ledger.sql(
        "select extract(epoch from due_at - now())::float8 as s, problem from mp_notification",
      )
      gaps.push(Number(row?.["s"]))
      expect(String(row?.["problem"])).toMatch(/^no credit left for .*456, ask …@…$/)
      expect(String(row?.["problem"])).not.toContain("77 012 3")
      await scene.later()
    }
    expect(gaps.every((gap, at) => at === 0 || gap > (gaps[at - 1] ?? 0))).toBe(true)
    await scene.aDayLater()
    await scene.run()
    await scene.later()
    await scene.run()
    expect((await scene.rows())[0]).toMatchObject({ state: "failed" })
    expect(scene.logged.filter((line) => line.includes("given up"))).toHaveLength(1)
  })

  it("when the channel has no provider: its notifications are sent once it has one", async () => {
    const providers: Record<string, () => Promise<void>> = {}
    const scene = notifyScene(ledger, providers)
    await scene.tell({ recipients: [one({ channel: "whatsapp" })] })
    await paid()
    await scene.run()
    expect((await scene.rows())[0]).toMatchObject({ state: "waiting", problem: "no_provider" })
    expect(scene.notifier.records.size).toBe(0)
    providers["whatsapp"] = fine
    await scene.later()
    await scene.run()
    expect(scene.notifier.sent).toHaveLength(1)
  })
})
