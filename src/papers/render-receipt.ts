/** The receipt as a page to read and to print: no script, nothing that is loaded. */
import { countryText, moneyText, numberText, timeText } from "./format"
import { html, type Html } from "./html"
import { page } from "./page"
import type { PaperPayment, PaperRefund, ReceiptDocument } from "./receipt-document"
import type { Amount, PaperRow } from "./rules/exact-rows"
import { PAPER_WORDS, type PaperLanguage, type PaperWords } from "./words"

type Reader = {
  readonly language: PaperLanguage
  readonly words: PaperWords
  readonly timeZone: string
}

/** @param hasLinkNote says who can open the link and when it ends; for the customer's page alone */
export function renderReceipt(
  document: ReceiptDocument,
  language: PaperLanguage,
  { hasLinkNote = false }: { readonly hasLinkNote?: boolean } = {},
): string {
  const words = PAPER_WORDS[language]
  const { order, shop, timeZone } = document
  const reader = { language, words, timeZone }
  const number = order?.number
  const title = [shop, words.title, number && `#${number}`].filter(Boolean).join(" – ")
  return page(
    { title, language, hasLanguages: hasLinkNote },
    html`<header>
        ${shop === null ? null : html`<p class="shop"><bdi>${shop}</bdi></p>`}
        <h1>${words.title}</h1>
        <dl>${headOf(document, reader)}</dl>
      </header>
      ${order?.isCanceled ? html`<p class="notice">${words.canceled}</p>` : null}
      ${bought(document, reader)} ${payments(document, reader)} ${refunds(document, reader)}
      ${sums(document, reader)}
      ${hasLinkNote ? html`<p class="quiet screen">${words.print} ${words.secret}</p>` : null}`,
  )
}

function headOf({ order, customer }: ReceiptDocument, reader: Reader): Html[] {
  const { words, language } = reader
  const { name = null, address = null } = customer ?? {}
  const country = address?.country ? countryText(address.country, language) : null
  const places = [...(address?.lines.map(cut) ?? []), country].filter(Boolean)
  return [
    entry(words.order, order?.number ? `#${order.number}` : null, "order"),
    entry(words.placed, order?.placedAt ? timeText(order.placedAt, reader) : null, "placed"),
    entry(words.customer, name && cut(name), "customer"),
    entry(words.address, places.join(", ") || null, "address"),
  ].filter((one) => one !== null)
}

/** Longer than names are. A customer writes it, and a whole sentence would read as the shop's. */
const WRITTEN_MAX = 60

/** What turns the direction or isn't seen, but for the two joiners that some scripts are written with. */
const UNSEEN = /(?![\u200C\u200D])\p{C}/gu
/** Marks on one letter, more than any script has: they would be drawn over other lines. */
const STACKED = /(\p{Mn}{4})\p{Mn}+/gu

function cut(text: string): string {
  const line = text
    .replaceAll(/[\s\u0085]+/g, " ")
    .replaceAll(UNSEEN, "")
    .replaceAll(STACKED, "$1")
  const signs = [...line.trim()]
  return signs.length > WRITTEN_MAX
    ? `${signs.slice(0, WRITTEN_MAX - 1).join("")}…`
    : signs.join("")
}

function bought(document: ReceiptDocument, reader: Reader): Html {
  const { words, language } = reader
  const { rows, total, tax, discount } = document
  const sum = (name: string, amount: Amount | null, key: string) =>
    amount &&
    html`<tr data-part="${key}">
      <th scope="row" colspan="2">${name}</th>
      <td class="number">${moneyText(amount, language)}</td>
    </tr>`
  return html`<section>
    <h2 id="bought">${words.bought}</h2>
    <table aria-labelledby="bought">
      <thead>
        <tr>
          <th scope="col">${words.item}</th>
          <th scope="col" class="number">${words.quantity}</th>
          <th scope="col" class="number">${words.amount}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => rowOf(row, reader))}
      </tbody>
      <tfoot>
        ${sum(words.total, total, "total")} ${sum(words.tax, tax, "tax")}
        ${sum(words.discount, discount, "discount")}
      </tfoot>
    </table>
  </section>`
}

function rowOf({ kind, name, quantity, amount }: PaperRow, { words, language }: Reader): Html {
  const title =
    kind === "item"
      ? html`<bdi>${name || words.item}</bdi>`
      : name
        ? html`${words[kind]}: <bdi>${name}</bdi>`
        : html`${words[kind]}`
  const pieces = kind === "item" && quantity !== null ? numberText(String(quantity), language) : ""
  return html`<tr data-part="${kind}">
    <th scope="row">${title}</th>
    <td class="number">${pieces}</td>
    <td class="number">${moneyText(amount, language)}</td>
  </tr>`
}

function payments({ payments: all }: ReceiptDocument, reader: Reader): Html | null {
  if (all.length === 0) return null
  return html`<section>
    <h2>${reader.words.payments}</h2>
    ${all.map((one) => html`<dl class="entry" data-part="payment">${paymentOf(one, reader)}</dl>`)}
  </section>`
}

function paymentOf(payment: PaperPayment, reader: Reader): (Html | null)[] {
  const { words, language } = reader
  const { flow, method, phoneHint, exchange, link } = payment
  const paidWith = [method ?? words[`flow_${flow ?? "other"}`], phoneHint && `…${phoneHint}`]
  const rate =
    exchange && `1 ${exchange.from} = ${numberText(exchange.rate, language)} ${exchange.to}`
  const money = (amount: Amount | null) => amount && moneyText(amount, language)
  return [
    entry(words.amount, money(payment.amount), "amount"),
    entry(words.state, words[`payment_${payment.state}`], "state"),
    entry(words.paidAt, payment.at && timeText(payment.at, reader), "at"),
    entry(words.method, paidWith.filter(Boolean).join(" · "), "method"),
    entry(words.payerFee, money(payment.payerFee), "fee"),
    entry(words.charged, money(payment.charged), "charged"),
    entry(words.rate, rate, "rate"),
    entry(words.transaction, payment.transactionId, "transaction"),
    entry(words.number, payment.number, "number"),
    isWebAddress(link)
      ? html`<div class="screen">
          <dt>${words.official}</dt>
          <dd><a href="${link}" rel="noreferrer noopener" target="_blank">${hostOf(link)}</a></dd>
        </div>`
      : null,
  ]
}

function refunds({ refunds: all }: ReceiptDocument, reader: Reader): Html | null {
  if (all.length === 0) return null
  return html`<section>
    <h2>${reader.words.refunds}</h2>
    ${all.map((one) => html`<dl class="entry" data-part="refund">${refundOf(one, reader)}</dl>`)}
  </section>`
}

function refundOf(refund: PaperRefund, reader: Reader): (Html | null)[] {
  const { words, language } = reader
  return [
    entry(words.amount, moneyText(refund.amount, language), "amount"),
    entry(words.state, words[`refund_${refund.state}`], "state"),
    entry(words.refundAt, refund.at && timeText(refund.at, reader), "at"),
    entry(words.transaction, refund.transactionId, "transaction"),
  ]
}

function sums(document: ReceiptDocument, { words, language }: Reader): Html {
  const { paid, refunded, returning, beyond, open, owed } = document
  const money = (amount: Amount | null) => amount && moneyText(amount, language)
  return html`<section>
    <h2>${words.sums}</h2>
    <dl class="entry">
      ${entry(words.sumPaid, money(paid), "paid")}
      ${entry(words.sumRefunded, money(refunded), "refunded")}
      ${entry(words.sumReturning, money(returning), "returning")}
      ${entry(words.sumBeyond, money(beyond), "beyond")}
      ${entry(words.sumOpen, money(open), "open")} ${entry(words.sumOwed, money(owed), "owed")}
    </dl>
  </section>`
}

/** Nothing is said of what is not known. */
function entry(name: string, value: string | null, key: string): Html | null {
  if (!value) return null
  return html`<div data-part="${key}">
    <dt>${name}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`
}

/** The address is the gateway's; another scheme could run as a script. */
function isWebAddress(link: string | null): link is string {
  return link !== null && /^https?:\/\//i.test(link) && URL.canParse(link)
}

const hostOf = (link: string) => new URL(link).host
