/**
 * Gives money of a collected payment back, in whole or in part.
 *
 *   node refund.js JOURNAL KEY AMOUNT [PAYMENT_INTENT_ID]
 *   node refund.js order-1042.jsonl return-1 10.00
 *
 * JOURNAL is the one of `collect.js`. KEY is your own name of this refund: the same key again is
 * the same refund, another key another one. All refunds of a journal together never exceed what was
 * paid; refunds made elsewhere, as in the merchant portal, are not known here.
 *
 * The payment intent id is taken from the gateway's answer where it has one, else from the merchant
 * portal.
 */
import { randomUUID } from "node:crypto"
import { majorText, sameMoney } from "merchant-payments-gateway"
import type { Gateway, Money } from "merchant-payments-gateway"
import { carryOut } from "./carry-out.js"
import { openJournal } from "./journal.js"
import type { Facts, Journal } from "./journal.js"
import { END, moneyIn, run, say, Stop, valueOf } from "./program.js"

const SESSION_LIFE_MS = 60 * 60_000

const [file, key, amountText, givenIntentId] = process.argv.slice(2)

run(async (gateway) => {
  if (!file || !key || !amountText) {
    throw new Stop(END.wrongUse, "Usage: node refund.js JOURNAL KEY AMOUNT [PAYMENT_INTENT_ID]")
  }
  const journal = openJournal(file, "payment")
  const payment = journal.find("payment")
  const order = journal.find("order")
  if (!payment || !order) throw new Stop(END.wrongUse, "The journal holds no payment.")
  const paid = moneyIn(payment["amount"] ?? "", payment["currency"] ?? "")
  const amount = moneyIn(amountText, paid.currency)

  // Written before anything is asked: from here on it counts against what is left.
  const { kept: refund } = journal.keep(`refund ${key}`, {
    kind: "refund",
    key,
    amount: majorText(amount),
    referenceId: randomUUID(),
  })
  if (refund["amount"] !== majorText(amount)) {
    throw new Stop(END.wrongUse, "The key is of a refund of another amount.")
  }
  const { referenceId = "" } = refund

  const end = await carryOut(journal, {
    step: executionOf(key),
    prepare: async () => {
      const intentId = await findIntent(gateway, payment, Number(order["orderId"]), paid)
      const leftMinor = paid.minor - (await takenBefore(gateway, journal, refund, paid))
      if (amount.minor > leftMinor) throw new Stop(END.notDone, "More than is left of the payment.")
      const session = valueOf(
        await gateway.sessions.refund({
          originalPaymentIntentId: intentId,
          amount,
          expiresAt: new Date(Date.now() + SESSION_LIFE_MS),
        }),
      )
      return { sessionId: String(session.id) }
    },
    send: ({ sessionId }) =>
      gateway.executions.refund({ sessionId: Number(sessionId), referenceId }),
    status: () => gateway.status.refund(referenceId),
  })
  if (end === END.done) say("refunded", { amount: majorText(amount), currency: paid.currency })
  return end
})

function executionOf(refundKey: string): string {
  return `execution of ${refundKey}`
}

/** The payment as the gateway knows it: paid, in the currency that the amount is meant in. */
async function findIntent(gateway: Gateway, payment: Facts, orderId: number, total: Money) {
  const source = valueOf(await gateway.status.source({ sourceType: "ORDER", sourceId: orderId }))
  const collection = valueOf(await gateway.status.collection(payment["referenceId"] ?? ""))
  const isPaid = source.status === "PAID" && sameMoney(source.total, total)
  if (!isPaid || collection.status !== "COMPLETED") {
    throw new Stop(END.notKnown, "The payment is not confirmed; run collect.js first.")
  }
  // A refund is sent without a currency, so it has to be the only one that there is.
  const { payerCurrency = total.currency, payeeCurrency = total.currency } = collection
  if (payerCurrency !== total.currency || payeeCurrency !== total.currency) {
    throw new Stop(END.notDone, "Paid with an exchange: refund it in the merchant portal.")
  }
  const given = givenIntentId === undefined ? undefined : Number(givenIntentId)
  const intentId = collection.paymentIntentId ?? given
  if (intentId === undefined) {
    throw new Stop(END.wrongUse, "Give the payment intent id; the merchant portal shows it.")
  }
  if (given !== undefined && given !== intentId) {
    throw new Stop(END.wrongUse, "The payment has another payment intent id.")
  }
  return intentId
}

/**
 * What refunds that were written down before this one have taken, or may take yet. The order of the
 * file decides between two that want the last of it.
 */
async function takenBefore(gateway: Gateway, journal: Journal, mine: Facts, paid: Money) {
  let takenMinor = 0n
  for (const line of journal.lines()) {
    if (line["id"] === mine["id"]) return takenMinor
    const { kind, key: other = "", amount = "", referenceId = "" } = line
    if (kind !== "refund" || journal.find(`refund ${other}`)?.["id"] !== line["id"]) continue
    const execution = journal.find(executionOf(other))
    if (execution && "givenUp" in execution) continue
    const seen = await gateway.status.refund(referenceId)
    // Failed is the only proof that it took nothing; one without an answer may go through.
    if (seen.kind === "done" && seen.value.status === "FAILED") continue
    takenMinor += moneyIn(amount, paid.currency).minor
  }
  throw new Error("The refund is not in its journal.")
}
