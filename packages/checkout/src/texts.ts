/** What a page says of a payment, in the shopper's language. */
import type { PaymentView } from "./payment.js"
import { recordOf, textsOf, type Status } from "./status.js"
import { Refused } from "./store.js"
import { en, type TextKey } from "./texts/en.js"

/** Keys are the same in every language. */
const isKey = (key: string): key is TextKey => key in en

export type Facts = Readonly<Record<string, string>>
export type Say<Key extends string = TextKey> = (key: Key, facts?: Facts) => string
type Words<Key extends string> = Readonly<Record<Key, string>>

/** For words that are older than the kit. */
const english: Readonly<Partial<Record<string, string>>> = en

/** @param over texts in the place of the language's own */
export function sayIn<Key extends string = TextKey>(
  texts: Words<Key>,
  over: Partial<Words<Key>> = {},
): Say<Key> {
  return (key, facts = {}) =>
    (over[key] ?? texts[key] ?? english[key] ?? key).replace(
      /\{(\w+)\}/g,
      (hole, name: string) => facts[name] ?? hole,
    )
}

/**
 * As "LRD 5,601.12", in the way of the language; the code and no sign, which LRD shares with USD.
 */
export function moneyText(amount: number, currency: string, language: string): string {
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    currencyDisplay: "code",
  })
  return format.format(amount)
}

/**
 * Why the last start or cancel did not happen, by the store's `situation`, else by its code.
 * @param money how the page writes the amounts in it
 */
export function problemText(
  say: Say,
  problem: NonNullable<PaymentView["problem"]>,
  money: (amount: number, currency: string) => string = plainMoney,
): string {
  if (!(problem instanceof Refused)) return say("problem.no_answer")
  const { code, body } = problem
  const facts = { missing: missingIn(say, problem), ...amountsIn(body["facts"], money) }
  for (const name of [body["situation"], code]) {
    const key = `problem.${String(name)}`
    const said = isKey(key) && say(key, facts)
    // A sentence with a hole would say nothing.
    if (said && !/\{\w+\}/.test(said)) return said
  }
  return say("problem.other")
}

const plainMoney = (amount: number, currency: string) => `${currency} ${amount}`

function amountsIn(facts: unknown, money: typeof plainMoney): Facts {
  const amounts: Record<string, string> = {}
  for (const [name, fact] of Object.entries(recordOf(facts))) {
    const { amount, currency } = recordOf(fact)
    const sum = Number(amount ?? NaN)
    if (typeof currency === "string" && !isNaN(sum)) amounts[name] = money(sum, currency)
  }
  return amounts
}

/** Why a payment ended, or seems to end, without money. */
export function reasonText(say: Say, { reason }: Pick<Status, "reason">): string {
  const key = `reason.${reason ?? "unknown"}`
  return say(isKey(key) ? key : "reason.unknown")
}

/** As in "the phone ending in 456". */
export function phoneText(say: Say, { phone_hint: digits }: Pick<Status, "phone_hint">): string {
  return digits === null ? say("phone.none") : say("phone.hint", { digits })
}

/** What a cart lacks before it can be paid, as the store names it. */
function missingIn(say: Say, { body }: Refused): string {
  return textsOf(body["missing"])
    .map((name) => {
      const key = `missing.${name}`
      return isKey(key) ? say(key) : name.replace(/_/g, " ")
    })
    .join(", ")
}
