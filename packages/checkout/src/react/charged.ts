/** What is charged beside what was asked for: both amounts, and why they differ. */
import type { Kit } from "./context.js"

type Sum = { readonly amount: number; readonly currency: string }

/** The fee on top, or the rate; empty where neither explains a difference. */
export function whyCharged({ say, money, language }: Kit, charged: Sum, asked: Sum): string {
  const [from, to] = [asked.currency.toUpperCase(), charged.currency]
  if (from === to) {
    if (charged.amount <= asked.amount) return ""
    return say("form.quote.fee", { fee: money(charged.amount - asked.amount, to) })
  }
  // People say what one of the dearer currency costs.
  const isDearer = charged.amount > asked.amount
  const rate = isDearer ? charged.amount / asked.amount : asked.amount / charged.amount
  return say("form.quote.rate", {
    from: isDearer ? from : to,
    to: isDearer ? to : from,
    rate: rate.toLocaleString(language, { maximumSignificantDigits: 5 }),
  })
}
