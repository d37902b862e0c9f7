/**
 * Collects one payment by mobile money, on the payer's phone.
 *
 *   node collect.js JOURNAL PHONE AMOUNT CURRENCY
 *   node collect.js order-1042.jsonl 231770000010 42.50 USD
 *
 * One journal is one payment under one reference, and is never charged twice. Ends as `program.ts`
 * says: with 0 only when the execution is completed, the order reads `PAID` and its total is what
 * was asked.
 */
import { randomUUID } from "node:crypto"
import { majorText, sameMoney } from "merchant-payments-gateway"
import type { Gateway, Money, SourceStatusRequest } from "merchant-payments-gateway"
import { carryOut } from "./carry-out.js"
import { openJournal } from "./journal.js"
import type { Facts, Journal } from "./journal.js"
import { END, moneyIn, run, say, Stop, valueOf } from "./program.js"

const [file, phone, amount, currency] = process.argv.slice(2)

run(async (gateway) => {
  if (!file || !phone || !amount || !currency) {
    throw new Stop(END.wrongUse, "Usage: node collect.js JOURNAL PHONE AMOUNT CURRENCY")
  }
  const total = moneyIn(amount, currency)
  const journal = openJournal(file, "payment")
  const isNew = !journal.find("payment")
  const { kept: payment } = journal.keep("payment", {
    phone,
    amount: majorText(total),
    currency: total.currency,
    referenceId: randomUUID(),
    orderReference: randomUUID(),
  })
  const isSame =
    payment["phone"] === phone &&
    payment["amount"] === majorText(total) &&
    payment["currency"] === total.currency
  if (!isSame) throw new Stop(END.wrongUse, "The journal is of another payment.")
  const { referenceId = "" } = payment

  return carryOut(journal, {
    step: "execution",
    prepare: async () => {
      const order = journal.find("order") ?? (await makeOrder(gateway, journal, total, isNew))
      return prepare(gateway, order, phone, total)
    },
    send: ({ sessionId, paymentAccountId }) =>
      gateway.executions.collection({
        sessionId: Number(sessionId),
        paymentAccountId: Number(paymentAccountId),
        currency: total.currency,
        referenceId,
      }),
    status: () => gateway.status.collection(referenceId),
    isConfirmed: () => isPaid(gateway, journal.find("order") ?? {}, total),
  })
})

function sourceOf({ orderId }: Facts): SourceStatusRequest {
  return { sourceType: "ORDER", sourceId: Number(orderId) }
}

/** The gateway's order. There is no idempotency key: an earlier run may have made it unheard. */
async function makeOrder(gateway: Gateway, journal: Journal, total: Money, isNew: boolean) {
  const { orderReference, phone = "" } = journal.find("payment") ?? {}
  const { currency } = total
  const all = isNew ? [] : valueOf(await gateway.orders.list({ currency }))
  const mine = all.find((order) => order.referenceId === orderReference)
  if (mine) {
    const { counterparty } = valueOf(await gateway.orders.retrieve(mine.id))
    const partyId = counterparty?.party?.id
    if (partyId === undefined) throw new Stop(END.notKnown, "The order does not name its party.")
    return journal.keep("order", { orderId: String(mine.id), partyId: String(partyId) }).kept
  }
  const made = valueOf(
    await gateway.checkouts.create({
      mode: "HOSTED",
      sourceType: "ORDER",
      partyPhone: phone,
      currency,
      items: [{ name: "Order", amount: total }],
      referenceId: orderReference,
    }),
  )
  const ids = { orderId: String(made.sourceId), partyId: String(made.partyId) }
  return journal.keep("order", ids).kept
}

/** Account and session, right before the execution: sessions are short. */
async function prepare(gateway: Gateway, order: Facts, phone: string, total: Money) {
  const source = sourceOf(order)
  const state = valueOf(await gateway.status.source(source))
  if (!sameMoney(state.total, total)) throw new Stop(END.notKnown, "The order has another total.")
  if (state.status === "IDLE") valueOf(await gateway.orders.publish(source.sourceId))
  const wallet = valueOf(await gateway.predictions.mmoProviderInfo({ phone }))
  const account = valueOf(
    await gateway.paymentAccounts.create({
      accountName: "Mobile money",
      provider: wallet.provider,
      method: wallet.paymentMethod,
      partyId: Number(order["partyId"]),
      phone,
    }),
  )
  const session = valueOf(await gateway.sessions.checkout(source))
  return { sessionId: String(session.id), paymentAccountId: String(account.id) }
}

/** The second proof, beside the completed execution. */
async function isPaid(gateway: Gateway, order: Facts, total: Money): Promise<boolean> {
  const seen = await gateway.status.source(sourceOf(order))
  if (seen.kind !== "done" || seen.value.status !== "PAID") {
    say("not confirmed", seen.kind === "done" ? { order: seen.value.status } : seen)
    return false
  }
  const { sourceNumber, total: paid } = seen.value
  if (!sameMoney(paid, total)) throw new Stop(END.notKnown, "Another amount: look into it.")
  say("paid", { sourceNumber, amount: majorText(paid), currency: paid.currency })
  return true
}
