/**
 * What a merchant sends to a customer with a payment link: shop, order, amount, end and address, in
 * the customer's language; and the addresses that open a messenger with this text filled in. The
 * text ends with the link's address, because phones make the rest of a line a part of it.
 */
import { typedPhone } from "./typed-phone"

export const CUSTOMER_LANGUAGES = ["en", "fr", "rw"] as const
export type CustomerLanguage = (typeof CUSTOMER_LANGUAGES)[number]

export type LinkFacts = {
  /** Null where the admin may not read the shop's name. */
  readonly shop: string | null
  /** The number by which people know the order. */
  readonly order: string | null
  /** In major units. */
  readonly amount: number
  readonly currency: string
  /** ISO 8601 */
  readonly until: string
  /** By whose clock the end is said; undefined: the browser's. */
  readonly timeZone: string | undefined
  readonly url: string
}

export type Message = { readonly title: string; readonly text: string }

type Parts = { readonly [Name in "shop" | "order" | "amount" | "until" | "url"]: string }

/** `shop` and `order` come with the words around them, or are empty. */
const TEXTS: Readonly<Record<CustomerLanguage, (parts: Parts) => Message>> = {
  en: ({ shop, order, amount, until, url }) => ({
    title: `Payment${order && ` of order #${order}`}${shop && ` at ${shop}`}`,
    text:
      `Payment${order && ` of order #${order}`}${shop && ` at ${shop}`}: ${amount}. ` +
      `You can pay until ${until} here: ${url}`,
  }),
  fr: ({ shop, order, amount, until, url }) => ({
    title: `Paiement${order && ` de la commande n°\u00A0${order}`}${shop && ` chez ${shop}`}`,
    text:
      `Paiement${order && ` de la commande n°\u00A0${order}`}${shop && ` chez ${shop}`}\u00A0: ` +
      `${amount}. Vous pouvez payer jusqu’au ${until} ici\u00A0: ${url}`,
  }),
  rw: ({ shop, order, amount, until, url }) => ({
    title: `Kwishyura${order && ` komande #${order}`}${shop && ` kuri ${shop}`}`,
    text:
      `Kwishyura${order && ` komande #${order}`}${shop && ` kuri ${shop}`}: ${amount}. ` +
      `Ushobora kwishyura kugeza ${until} hano: ${url}`,
  }),
}

/** Browsers have no Kinyarwanda of their own; digits alone are read everywhere. */
const LOCALES: Readonly<Record<CustomerLanguage, string>> = { en: "en", fr: "fr", rw: "en-GB" }

export function messageIn(language: CustomerLanguage, facts: LinkFacts): Message {
  const locale = LOCALES[language]
  const style = { style: "currency", currency: facts.currency, currencyDisplay: "code" } as const
  const until = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: language === "rw" ? "2-digit" : "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    // The customer may be in another country than the shop.
    timeZoneName: "short",
    timeZone: facts.timeZone,
  })
  return TEXTS[language]({
    shop: facts.shop?.trim() ?? "",
    order: facts.order ?? "",
    amount: new Intl.NumberFormat(locale, style).format(facts.amount),
    until: until.format(new Date(facts.until)),
    url: facts.url,
  })
}

/**
 * @param phone as the order has it
 * @returns E.164 with a plus; undefined where the number is not clear without doubt
 */
export function customerPhone(phone: string, currency: string): string | undefined {
  const read = typedPhone(phone, currency)?.international
  if (read !== undefined) return read
  const [, digits] = /^(?:\+|00)([1-9]\d{7,14})$/.exec(phone.replace(/[\s().-]/g, "")) ?? []
  return digits && `+${digits}`
}

type To = { readonly phone: string | undefined; readonly email: string | null }

/** Without a number or an e-mail address, the messenger asks to whom the message goes. */
export function messengers({ title, text }: Message, { phone, email }: To) {
  const [subject, body] = [encodeURIComponent(title), encodeURIComponent(text)]
  return {
    whatsapp: `https://wa.me/${phone?.slice(1) ?? ""}?text=${body}`,
    sms: `sms:${phone ?? ""}?body=${body}`,
    email: `mailto:${encodeURIComponent(email ?? "")}?subject=${subject}&body=${body}`,
  }
}
