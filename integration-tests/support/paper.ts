/** What a receipt's page says, read from its HTML as a person would, and orders to make one of. */
import type { PaperOrder } from "../../src/papers/rules/paper-order"

type ReadPart = { readonly [key: string]: string }

export type ReadPaper = {
  readonly head: ReadPart
  readonly rows: readonly {
    readonly kind: string
    readonly name: string
    readonly quantity: string
    readonly amount: string
  }[]
  /** `total`, `tax` and `discount`. */
  readonly foot: ReadPart
  readonly payments: readonly ReadPart[]
  readonly refunds: readonly ReadPart[]
  readonly sums: ReadPart
}

export function readPaper(html: string): ReadPaper {
  const dls = [...html.matchAll(/<dl(?: class="entry")?(?: data-part="(\w+)")?>(.*?)<\/dl>/gs)]
  const of = (part?: string) => dls.filter(([, key]) => key === part).map(([, , text]) => text)
  const [head = "", sums = ""] = of()
  const [, body = ""] = /<tbody>(.*?)<\/tbody>/s.exec(html) ?? []
  const [, foot = ""] = /<tfoot>(.*?)<\/tfoot>/s.exec(html) ?? []
  return {
    head: entries(head),
    rows: [...body.matchAll(/<tr data-part="(\w+)">(.*?)<\/tr>/gs)].map(
      ([, kind = "", row = ""]) => {
        const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, text]) =>
          plain(text),
        )
        return { kind, name: cells[0] ?? "", quantity: cells[1] ?? "", amount: cells[2] ?? "" }
      },
    ),
    foot: Object.fromEntries(
      [...foot.matchAll(/<tr data-part="(\w+)">.*?<td[^>]*>(.*?)<\/td>/gs)].map(
        ([, key = "", text]) => [key, plain(text)],
      ),
    ),
    payments: of("payment").map(entries),
    refunds: of("refund").map(entries),
    sums: entries(sums),
  }
}

const entries = (text = ""): ReadPart =>
  Object.fromEntries(
    [...text.matchAll(/<div data-part="(\w+)">\s*<dt>.*?<\/dt>\s*<dd>(.*?)<\/dd>/gs)].map(
      ([, key = "", value]) => [key, plain(value)],
    ),
  )

const SIGNS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}

/** Without markup, with the signs that were escaped, and with one kind of space. */
const plain = (text = "") =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/\s+/g, " ")
    .trim()

/** `LRD 1,234.50` of the text `1234.50`, digit by digit. */
export function inEnglish(value: string, currency: string): string {
  const [whole = "", fraction] = value.replace("-", "").split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  const sign = value.startsWith("-") ? "-" : ""
  return `${sign}${currency} ${grouped}${fraction === undefined ? "" : `.${fraction}`}`
}

/** The smallest units of an amount that the page writes in English. */
export function minorIn(text: string): bigint {
  return BigInt(text.replace(/[^\d-]/g, ""))
}

export function aPaperOrder(given: Partial<PaperOrder> = {}): PaperOrder {
  return {
    id: "order_1",
    number: "7",
    placedAt: "2026-11-20T11:58:00.000Z",
    isCanceled: false,
    currency: "usd",
    total: "19.99",
    tax: "0",
    discount: "0",
    openAmount: "0",
    returning: "0",
    items: [{ name: "T-shirt", quantity: 1, total: "19.99" }],
    deliveries: [],
    credits: [],
    customerName: "Ama Kollie",
    address: { lines: ["12 Broad Street", "Monrovia"], country: "LR" },
    otherPayments: [],
    ...given,
  }
}
