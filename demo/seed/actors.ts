/**
 * What shoppers, an admin and the gateway's people do in the seeded demo, each over HTTP as in a
 * real shop: the shop's routes, Medusa's admin routes and ours, the simulator's controls.
 */
import { randomUUID } from "node:crypto"
import type { DocumentView, ExecutionView } from "../../packages/simulator/src/book/view"
import type { MoneyOutView } from "../../packages/simulator/src/book/money-out-view"
import { adminAt } from "../../integration-tests/http/support/admin"
import { makeLink, unpaidOrder, type Item } from "../../integration-tests/http/support/orders"
import {
  expectOk,
  PUSH,
  shopAt,
  type Payment,
  type Region,
} from "../../integration-tests/http/support/shop"
import { until } from "../../integration-tests/support/until"
import { createGateway } from "../../src/gateway"
import type {
  OperationDetail,
  OperationList,
  OperationResponse,
} from "../../src/review/schemas/operations"
import { CLIENT } from "../run/simulator.cjs"
import type { State } from "../run/state.cjs"
import { personOf, phoneOf } from "./people"

const PASSCODE = "246810"
/** A bound, not an expectation: many carts are paid at once. */
const ENDS_WITHIN_MS = 180_000
/** Each look is a question to a store that many shoppers keep busy. */
const LOOK_EVERY_MS = 2_000
const REASON = "Settled with the customer on the phone"
const ROOT = "/admin/merchant-payments"

/** `ending`: what the number does, as in the simulator's tables. */
export type Buys = {
  readonly region?: Region
  readonly ending?: string
  readonly items?: readonly Item[]
  /** In the place of what the ending says, once. */
  readonly plan?: { readonly outcome: "decline"; readonly message: string }
}
export type Begun = {
  readonly phone: string
  readonly cartId: string
  readonly sessionId: string
  readonly payment: Payment
}
export type Linked = {
  readonly orderId: string
  readonly operationId: string
  readonly url: string
}

type OnPage = { method: "card" } | { method: "mobile_money"; phone: string }
type Book = {
  documents: DocumentView[]
  executions: ExecutionView[]
  refunds: MoneyOutView[]
  payouts: MoneyOutView[]
  transfers: MoneyOutView[]
}

export type Actors = ReturnType<typeof actorsOf>

/** @param first counts shoppers on from here, so that a second run brings others */
export function actorsOf(state: State & { simulator_url: string }, first: number) {
  const shop = shopAt(state.store_api_url, state.publishable_key)
  const admin = adminAt(shop, { email: state.admin_email, password: state.admin_password })
  let shoppers = first

  async function simulator<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${state.simulator_url}/_simulator/${path}`, {
      method,
      ...(body && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const simulate = (path: string, body: object) => simulator<unknown>("POST", path, body)
  const book = () => simulator<Book>("GET", "book")

  function buyer({ region = "Liberia", ending = "11", items }: Buys) {
    const n = (shoppers += 1)
    return {
      region,
      phone: phoneOf(region, n, ending),
      person: personOf(region, n),
      items: items ?? [[["enamel-mug", "star-t-shirt", "print-cushion"][n % 3] ?? "", 1 + (n % 2)]],
    } as const
  }

  /** The gateway's document behind a payment page. */
  async function documentAt(url: string): Promise<DocumentView> {
    const { documents } = await book()
    const found = documents.find(({ hostedPath }) => hostedPath && url.endsWith(hostedPath))
    if (!found) throw new Error(`${url} is no payment page`)
    return found
  }

  const operations = async (query: string) =>
    (await expectOk(admin.call<OperationList>("GET", `${ROOT}/operations?${query}`))).operations
  const found = async (q: string) =>
    (await expectOk(admin.call<OperationList>("POST", `${ROOT}/operations/search`, { q })))
      .operations
  const operationOf = async ({ sessionId }: Pick<Begun, "sessionId">): Promise<string> =>
    (await found(sessionId))[0]?.id ?? ""
  const operation = async (id: string): Promise<OperationDetail> =>
    (await expectOk(admin.call<OperationResponse>("GET", `${ROOT}/operations/${id}`))).operation

  /** As the page's "Check now", until it reads so. */
  const checkedUntil = (id: string, what: string, isSo: (now: OperationDetail) => boolean) =>
    until(
      async () => {
        await admin.call("POST", `${ROOT}/operations/${id}/check`, {})
        const now = await operation(id)
        return isSo(now) && now
      },
      what,
      ENDS_WITHIN_MS,
      LOOK_EVERY_MS,
    )

  /** The number that the merchant portal shows, typed in. */
  async function typeIntent(id: string): Promise<void> {
    const { source_id: sourceId } = await operation(id)
    const { executions } = await book()
    const paid = executions.find((one) => one.sourceId === sourceId && one.charges > 0)
    await expectOk(
      admin.call("POST", `${ROOT}/operations/${id}/payment-intent`, {
        payment_intent_id: paid?.paymentIntentId,
      }),
    )
  }

  return {
    shop,
    admin,
    simulate,
    operation,
    operationOf,
    checkedUntil,
    /** Until one of the cart's payments waits for a decision. Answers it. */
    heldOf: ({ cartId }: Begun): Promise<string> =>
      until(
        async () => {
          const all = await operations(`cart_id=${cartId}&type=COLLECTION`)
          for (const { id } of all) await admin.call("POST", `${ROOT}/operations/${id}/check`, {})
          return all.find(({ state }) => state === "review")?.id
        },
        "late money is found",
        ENDS_WITHIN_MS,
        LOOK_EVERY_MS,
      ),
    /** To the prompt on the phone, or to the payment page. */
    async begin(buys: Buys = {}, providerId = PUSH): Promise<Begun> {
      const who = buyer(buys)
      if (buys.plan) await simulate("plans", { ...buys.plan, phone: who.phone.slice(1), times: 1 })
      const cartId = await shop.cart(who)
      const sessionId = await shop.session(cartId, providerId)
      const { payment } = await expectOk(shop.start(sessionId))
      if (!payment) throw new Error("the payment did not start")
      return { phone: who.phone, cartId, sessionId, payment }
    },
    approve: ({ payment }: Pick<Begun, "payment">) =>
      simulate("handset/approve", { reference: payment.reference }),
    async payOnPage(url: string | null, payment: OnPage): Promise<void> {
      const { id: sourceId } = await documentAt(url ?? "")
      await simulate("hosted/pay", { sourceId, payment })
    },
    /** Money for a document that the gateway would still take it for, whatever the shop says. */
    async payAnyway({ sessionId }: Begun, payment: OnPage = { method: "card" }): Promise<string> {
      const id = await operationOf({ sessionId })
      await simulate("hosted/pay", { sourceId: (await operation(id)).source_id, payment })
      return id
    },
    /** Asks as the shop's page does, until the payment reads so. */
    ends: ({ sessionId }: Begun, state: string): Promise<Payment> =>
      until(
        async () => {
          const { payment } = await expectOk(shop.status(sessionId))
          return payment?.state === state && payment
        },
        `a payment is ${state}`,
        ENDS_WITHIN_MS,
        LOOK_EVERY_MS,
      ),
    async decide(id: string, action: "accept" | "refund" | "dismiss"): Promise<void> {
      const decided = () =>
        admin.call<{ code?: string }>("POST", `${ROOT}/operations/${id}/resolve`, {
          action,
          note: REASON,
        })
      const { status, body } = await decided()
      if (status < 400) return
      if (body.code !== "payment_intent_unknown") throw new Error(`${action}: ${body.code ?? ""}`)
      await typeIntent(id)
      await expectOk(decided())
    },
    /** Medusa's own refund of a share of what was paid. Answers the payment's operation. */
    async refund(begun: Begun, share: number): Promise<{ id: string; status: number }> {
      const { order_id: orderId } = await this.ends(begun, "paid")
      const id = await operationOf(begun)
      if ((await operation(id)).payment_intent_id === null) await typeIntent(id)
      const [collection] = (await admin.order(orderId ?? "")).payment_collections
      const [paid] = collection?.payments ?? []
      const amount = share === 1 ? undefined : Math.floor((paid?.amount ?? 0) * share)
      const { status } = await admin.refund(paid?.id ?? "", amount)
      return { id, status }
    },
    /** Ends a refund that stays on its way, as the operator would. */
    async endRefund({ phone }: Begun, status: "COMPLETED" | "FAILED"): Promise<void> {
      const { refunds } = await book()
      const pending = refunds.filter((one) => one.phone === phone.slice(1) && one.moves === 0)
      for (const { reference } of pending)
        await simulate(`money-out/${reference}/settle`, { status })
    },
    /** An order that an admin wrote down, and the link that asks for its money. */
    async link(buys: Buys = {}): Promise<Linked> {
      const orderId = await unpaidOrder({ shop, admin }, buyer(buys))
      const { payment_link: link } = await expectOk(makeLink({ shop, admin }, orderId))
      const operationId = link?.operation_id ?? ""
      const read = () => expectOk(makeLink({ shop, admin }, orderId))
      const url = await until(async () => (await read()).payment_link?.url, "the link's address")
      return { orderId, operationId, url }
    },
    /** Somebody pays a link by phone, and has the prompt before them. */
    async openOnPhone({ url, operationId }: Linked): Promise<void> {
      const phone = phoneOf("Liberia", (shoppers += 1), "11").slice(1)
      await this.payOnPage(url, { method: "mobile_money", phone })
      await checkedUntil(operationId, "a link is being paid", ({ state }) => state === "in_flight")
    },
    async approveLink({ url }: Linked): Promise<void> {
      const { id } = await documentAt(url)
      const { executions } = await book()
      const waiting = executions.find(({ sourceId }) => sourceId === id)
      await simulate("handset/approve", { reference: waiting?.reference })
    },
    async payout(region: Region, ending: string, amount: string): Promise<string> {
      const { person, phone } = buyer({ region, ending })
      const { payout } = await expectOk(
        admin.call<{ payout: { id: string } }>("POST", `${ROOT}/payouts`, {
          idempotency_key: randomUUID(),
          amount,
          currency: region === "Rwanda" ? "RWF" : "LRD",
          name: `${person.first_name} ${person.last_name}`,
          phone,
          passcode: PASSCODE,
        }),
      )
      return payout.id
    },
    async transfer(ending: string, amount: string): Promise<string> {
      const { person, phone } = buyer({ ending })
      const gateway = createGateway({ baseUrl: state.simulator_url, ...CLIENT })
      try {
        const party = await gateway.parties.create({
          fullname: `${person.first_name} ${person.last_name}`,
          phone: phone.slice(1),
        })
        if (party.kind !== "done") throw party.error
        const to = await gateway.counterparties.create({
          relationshipType: "PARTNER",
          partyId: party.value.id,
        })
        if (to.kind !== "done") throw to.error
        const wallets = await simulator<{ id: number; currency: string; ownerId: number | null }[]>(
          "GET",
          "wallets",
        )
        const from = wallets.find(({ currency, ownerId }) => currency === "LRD" && ownerId === 1)
        const { transfer } = await expectOk(
          admin.call<{ transfer: { id: string } }>("POST", `${ROOT}/transfers`, {
            idempotency_key: randomUUID(),
            amount,
            currency: "LRD",
            from_wallet_id: from?.id,
            to_counterparty_id: to.value.id,
          }),
        )
        return transfer.id
      } finally {
        await gateway.close()
      }
    },
  }
}
