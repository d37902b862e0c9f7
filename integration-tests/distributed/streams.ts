/** How long after a worker's record a page hears it over a stream of a server. */
import { readEvents } from "../http/support/event-reader"
import type { Cluster } from "./cluster"
import { shoppersOf } from "./shoppers"

export type Heard = { readonly sessionId: string; readonly afterMs: number }

const STREAMS = 12

const RECORDED = `
  select extract(epoch from recorded_at) * 1000 as at_ms
    from mp_operation where payment_session_id = $1 and recorded_at is not null`

export async function heardAcross(cluster: Cluster): Promise<readonly Heard[]> {
  const { shop } = await shoppersOf(cluster)
  const one = async (number: number): Promise<Heard> => {
    const phone = `+231886${String(900_000 + number)}`
    const cartId = await shop.cart({ region: "Liberia", phone, items: [["enamel-mug", 1]] })
    const sessionId = await shop.session(cartId)
    const started = await shop.start(sessionId)
    if (started.status >= 300) throw new Error(`not started: ${JSON.stringify(started.body)}`)
    const url = `${cluster.url}/store/merchant-payments/sessions/${sessionId}/events`
    const stream = await readEvents(url, { "x-publishable-api-key": cluster.publishableKey })
    for (;;) {
      const event = await stream.next()
      if (!event) throw new Error(`the stream of ${sessionId} ended before its payment`)
      if (event.payment.order_id === null) continue
      const heardAtMs = Date.now()
      await stream.leave()
      const [row] = await cluster.sql<{ at_ms: string }>(RECORDED, [sessionId])
      if (!row) throw new Error(`${sessionId} is said to be paid and not recorded`)
      return { sessionId, afterMs: Math.max(0, Math.round(heardAtMs - Number(row.at_ms))) }
    }
  }
  const heard: Heard[] = []
  // Four at once: a worker that records many has no other work than this.
  for (let first = 0; first < STREAMS; first += 4) {
    heard.push(...(await Promise.all([0, 1, 2, 3].map((more) => one(first + more)))))
  }
  return heard
}
