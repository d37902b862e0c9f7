/**
 * What happens outside the admin while a merchant looks at it: shoppers begin to pay by the shop's
 * own routes, and the simulator is told what the gateway does.
 */
import { Client } from "pg"
import { PUSH, shopAt, type Payment, type Region } from "../../http/support/shop"
import type { DemoState } from "./demo"

type How = {
  readonly providerId?: string
  readonly region?: Region
  readonly inRegion?: string
}

export type Till = {
  /** Somebody is about to pay; what their number does stands in the simulator's scenarios. */
  begin(phone: string, how?: How): Promise<Payment>
  /** Somebody has paid on their phone. */
  pay(phone: string, how?: How): Promise<Payment>
  /** Somebody has ordered where Medusa's own way to pay is offered. Answers the order's id. */
  orderOtherwise(region: Region): Promise<string>
  /**
   * The job leaves a payment alone from now on, so that what happens to it next is found by
   * nothing but what the test does, however slow the machine is.
   */
  leaveAlone(sessionId: string): Promise<void>
  /** A control of the simulator: with a body it is told something, without one it is read. */
  simulate<T = unknown>(path: string, body?: object, method?: "DELETE"): Promise<T>
}

export function tillOf(demo: DemoState): Till {
  const shop = shopAt(demo.store_api_url, demo.publishable_key)

  async function begin(phone: string, { providerId = PUSH, ...where }: How = {}) {
    const { region = "Liberia", ...inRegion } = where
    const cart = await shop.cart({ region, ...inRegion, phone, items: [["enamel-mug", 1]] })
    const session = await shop.session(cart, providerId)
    const { body } = await shop.start(session)
    if (!body.payment) throw new Error(`not started: ${JSON.stringify(body)}`)
    return body.payment
  }

  const simulate: Till["simulate"] = async <T>(path: string, body?: object, method?: "DELETE") => {
    const answer = await fetch(`${demo.simulator_url}/_simulator/${path}`, {
      method: method ?? (body ? "POST" : "GET"),
      ...(body && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  async function leaveAlone(sessionId: string): Promise<void> {
    const client = new Client({ connectionString: demo.database_url })
    await client.connect()
    try {
      const { rowCount } = await client.query(
        `update mp_operation set next_check_at = now() + interval '1 day'
          where payment_session_id = $1 and state = 'failed'`,
        [sessionId],
      )
      if (rowCount !== 1) throw new Error(`${rowCount} payments of ${sessionId} have failed`)
    } finally {
      await client.end()
    }
  }

  return {
    begin,
    leaveAlone,
    async pay(phone, how) {
      const payment = await begin(phone, how)
      await simulate("handset/approve", { phone: phone.slice(1) })
      return payment
    },
    async orderOtherwise(region) {
      const cart = await shop.cart({ region, items: [["enamel-mug", 1]] })
      await shop.session(cart, "pp_system_default")
      const { body } = await shop.complete(cart)
      if (!body.order) throw new Error(`not ordered: ${JSON.stringify(body)}`)
      return body.order.id
    },
    simulate,
  }
}
