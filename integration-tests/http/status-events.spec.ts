import { readEvents, type EventReader, type StatusEvent } from "./support/event-reader"
import { openKitPage } from "./support/kit-pages"
import { settled } from "./support/payments"
import { expectOk, walletOf } from "./support/shop"
import { until } from "./support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ simulator: { speed: 4 } })
/** Of one payment. */
const PAGES = 15
const ENDS = ["paid", "failed", "expired", "under_review"]

function watch(sessionId: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const { url, publishableKey } = harness.store
  return readEvents(`${url}/store/merchant-payments/sessions/${sessionId}/events`, {
    "x-publishable-api-key": publishableKey,
    "accept-encoding": "gzip",
    ...headers,
  })
}

/** All that comes until the server ends the stream. */
async function rest(reader: EventReader): Promise<StatusEvent[]> {
  const events: StatusEvent[] = []
  for (let event = await reader.next(); event; event = await reader.next()) events.push(event)
  return events
}

async function startedPayment() {
  const phone = walletOf()
  const sessionId = await harness.shop.session(await harness.shop.cart({ phone }))
  await expectOk(harness.shop.start(sessionId))
  return { sessionId, digits: phone.slice(1) }
}

describe("STATUS as events", () => {
  it("tells STATUS at once, each change once, and ends with the payment", async () => {
    const phone = walletOf()
    const sessionId = await harness.shop.session(await harness.shop.cart({ phone }))
    const reader = await watch(sessionId)
    expect(reader.status).toBe(200)
    expect(reader.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    expect(reader.headers.get("content-encoding")).toBeNull()
    expect((await reader.next())?.payment).toMatchObject({ id: sessionId, state: "ready" })
    await expectOk(harness.shop.start(sessionId))
    const waiting = await reader.next()
    expect(waiting?.payment).toMatchObject({ id: sessionId, state: "waiting_for_payer" })
    harness.simulator.handset.approve(phone.slice(1))
    const events = await rest(reader)
    expect(events.at(-1)?.payment).toMatchObject({ id: sessionId, state: "paid" })
    const ids = [waiting, ...events].map((event) => event?.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await settled(harness, sessionId)).order_id).toBe(events.at(-1)?.payment.order_id)
  })

  it("tells every page of the payment, and not what a page knows already", async () => {
    const { sessionId, digits } = await startedPayment()
    const first = await watch(sessionId)
    const sent = await until(async () => {
      const event = await first.next()
      return event?.payment.prompt === "sent" ? event : undefined
    }, "the prompt is on the phone")
    const back = await watch(sessionId, { "last-event-id": sent.id })
    harness.simulator.handset.decline(digits)
    const told = await Promise.all([rest(first), rest(back)])
    for (const events of told) {
      expect(events.map(({ id }) => id)).not.toContain(sent.id)
      expect(events.at(-1)?.payment).toMatchObject({ state: "failed", reason: "declined" })
    }
  })

  it("refuses a session that is not there, as STATUS does", async () => {
    const reader = await watch("payses_01NONE0000000000000000000")
    expect(reader.status).toBe(404)
    expect(reader.headers.get("content-type")).toContain("application/json")
  })

  it("ends its streams in order when the store shuts down, and tells the rest after it", async () => {
    const { sessionId, digits } = await startedPayment()
    const reader = await watch(sessionId)
    expect((await reader.next())?.payment.state).toBe("waiting_for_payer")
    const [, events] = await Promise.all([harness.restart("SIGTERM"), rest(reader)])
    expect(events.map(({ payment }) => payment.state)).not.toContain("failed")
    const again = await watch(sessionId)
    harness.simulator.handset.approve(digits)
    expect((await rest(again)).at(-1)?.payment.state).toBe("paid")
  })

  it("[P04] a store killed under open pages: each page of the kit sees the payment's end", async () => {
    const approved = await startedPayment()
    const declined = await startedPayment()
    const open = ({ sessionId }: { sessionId: string }) =>
      Promise.all(Array.from({ length: PAGES }, () => openKitPage(harness, sessionId)))
    const [paid, failed] = [await open(approved), await open(declined)]
    await harness.store.kill("SIGKILL")
    harness.simulator.handset.approve(approved.digits)
    harness.simulator.handset.decline(declined.digits)
    const pages = [...paid, ...failed]
    const sawItGo = async () => pages.every(({ told }) => told.includes("no_answer"))
    await until(sawItGo, "each page has asked a store that is not there")
    await harness.restart()
    for (const [group, end] of [[paid, "paid"] as const, [failed, "failed"] as const]) {
      await until(async () => group.every(({ told }) => told.includes(end)), `all see ${end}`)
      const others = ENDS.filter((state) => state !== end)
      expect(group.flatMap(({ told }) => told).filter((state) => others.includes(state))).toEqual(
        [],
      )
      expect(group.map(({ told }) => told.at(-1))).toEqual(group.map(() => end))
      for (const page of group) page.leave()
    }
  })
})
