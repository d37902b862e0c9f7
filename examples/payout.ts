/**
 * Pays somebody by mobile money out of the merchant's wallet.
 *
 *   node payout.js JOURNAL NAME PHONE AMOUNT CURRENCY
 *   node payout.js supplier-7.jsonl "Ada Supplier" 231770000010 42.50 USD
 *
 * One journal is one payout under one reference, and is never paid twice. The environment holds the
 * passcode and who is asking: PAYOUT_PASSCODE, PAYOUT_CLIENT_IP and, where the account wants it,
 * PAYOUT_PASSCODE_PHONE. The passcode is neither printed nor written down.
 */
import { randomUUID } from "node:crypto"
import os from "node:os"
import { majorText } from "merchant-payments-gateway"
import type { Gateway, Money, PayoutPasscode } from "merchant-payments-gateway"
import { carryOut } from "./carry-out.js"
import { openJournal } from "./journal.js"
import { END, environment, moneyIn, run, say, Stop, valueOf } from "./program.js"

const [file, name, phone, amountText, currency] = process.argv.slice(2)

run(async (gateway) => {
  if (!file || !name || !phone || !amountText || !currency) {
    throw new Stop(END.wrongUse, "Usage: node payout.js JOURNAL NAME PHONE AMOUNT CURRENCY")
  }
  const amount = moneyIn(amountText, currency)
  // Before the journal: without it nothing can be paid.
  const passcode = passcodeFromEnvironment()
  const journal = openJournal(file, "payout")
  const { kept: payout } = journal.keep("payout", {
    name,
    phone,
    amount: majorText(amount),
    currency: amount.currency,
    referenceId: randomUUID(),
  })
  const isSame =
    payout["name"] === name &&
    payout["phone"] === phone &&
    payout["amount"] === majorText(amount) &&
    payout["currency"] === amount.currency
  if (!isSame) throw new Stop(END.wrongUse, "The journal is of another payout.")
  const { referenceId = "" } = payout

  const end = await carryOut(journal, {
    step: "execution",
    prepare: () => prepare(gateway, name, phone, amount),
    send: ({ sessionId, payoutAccountId }) =>
      gateway.executions.payout({
        sessionId: Number(sessionId),
        payoutAccountId: Number(payoutAccountId),
        referenceId,
        passcode,
      }),
    status: () => gateway.status.payout(referenceId),
  })
  if (end === END.done) say("paid out", { amount: amountText, currency: amount.currency })
  return end
})

/** Recipient, account and session. The session is short: the execution follows at once. */
async function prepare(gateway: Gateway, fullname: string, phone: string, amount: Money) {
  // There is no idempotency key: who is known is not made again.
  const known = valueOf(await gateway.parties.list({ fullname }))
  const party =
    known.find((one) => one.fullname === fullname && one.phone === phone) ??
    valueOf(await gateway.parties.create({ fullname, phone }))
  const wallet = valueOf(
    await gateway.predictions.mmoProviderInfo({ phone, operationType: "PAYOUT" }),
  )
  const account = valueOf(
    await gateway.paymentAccounts.create({
      accountName: fullname,
      provider: wallet.provider,
      method: wallet.paymentMethod,
      partyId: party.id,
      phone,
      operationType: "PAYOUT",
    }),
  )
  const session = valueOf(await gateway.sessions.payout({ payoutAccountId: account.id, amount }))
  return { sessionId: String(session.id), payoutAccountId: String(account.id) }
}

function passcodeFromEnvironment(): PayoutPasscode {
  return {
    token: {
      code: environment("PAYOUT_PASSCODE"),
      phone: process.env["PAYOUT_PASSCODE_PHONE"],
    },
    device: {
      name: os.hostname(),
      type: "SERVER",
      platform: "NODE",
      userAgent: `node/${process.versions.node}`,
      clientIp: environment("PAYOUT_CLIENT_IP"),
    },
  }
}
