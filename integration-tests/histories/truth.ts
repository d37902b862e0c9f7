/**
 * What is true of a history, by the gateway's own book alone: which money came, which went back or out,
 * and on which day. It knows nothing of the product.
 */
import type { BookView } from "../../packages/simulator/src/book/view"

export type Movement = {
  readonly kind: "received" | "refunded" | "paid out"
  /** Who meant it: the payer and the shop, or somebody in the merchant's portal. */
  readonly by: "shop" | "portal"
  readonly currency: string
  /** Hundredths, above zero. */
  readonly cents: number
  /** Under which the gateway was asked to move it, or its page. */
  readonly reference: string
  /** The document that was paid; null of a refund or payout. */
  readonly document: number | null
  /** What arrived, in hundredths of its currency. */
  readonly arrived: { readonly cents: number; readonly currency: string }
}

/**
 * Everything that has moved by now.
 *
 * @param portalRefunds references of refunds that were made in the merchant's portal
 */
export function movementsOf(
  book: Pick<BookView, "executions" | "refunds" | "payouts" | "transfers" | "document">,
  portalRefunds: ReadonlySet<string>,
): Movement[] {
  const received = book.executions().flatMap((execution) => {
    const { charges, sourceId, reference } = execution
    const source = book.document(sourceId)
    if (charges === 0 || !source) return []
    const money = moneyOf(source.totalAmount, source.currency)
    const document = sourceId
    return {
      kind: "received",
      by: "shop",
      reference,
      document,
      ...money,
      ...arrivedOf(execution),
    } as const
  })
  const refunded = book
    .refunds()
    .filter(({ status }) => status === "COMPLETED")
    .map((refund) => {
      const { amount, currency, reference } = refund
      const money = moneyOf(amount, currency)
      return {
        kind: "refunded",
        by: portalRefunds.has(reference) ? "portal" : "shop",
        reference,
        document: null,
        ...money,
        ...arrivedOf(refund),
      } as const
    })
  const paidOut = [...book.payouts(), ...book.transfers()]
    .filter(({ status }) => status === "COMPLETED")
    .map((payout) => {
      const money = moneyOf(payout.amount, payout.currency)
      return {
        kind: "paid out",
        by: "shop",
        reference: payout.reference,
        document: null,
        ...money,
        ...arrivedOf(payout),
      } as const
    })
  return [...received, ...refunded, ...paidOut]
}

/** What is known of a payment that its page names: its own reference, and its document. */
export type Named = { readonly reference: string | null; readonly document: number | null }

type Executions = Pick<BookView, "executions">

/** Prompts, cards and pages that the gateway may still take money for. */
export function underWayIn(books: readonly Executions[]): Named[] {
  return books
    .flatMap((book) => book.executions())
    .filter(({ status }) => status === "PENDING" || status === "PROCESSING")
    .map(({ reference, sourceId: document }) => ({ reference, document }))
}

/** The payment page behind an address, as whoever opens it now finds it. */
export function pageAt(books: readonly Pick<BookView, "documents">[], url: string) {
  const page = books
    .flatMap((book) => book.documents())
    .find(({ hostedPath }) => hostedPath !== null && url.endsWith(hostedPath))
  return page && { ...moneyOf(page.totalAmount, page.currency), status: page.status }
}

/**
 * The money of each payment: what came under its reference, or on its document's page and under no
 * other payment's reference.
 */
export function moneyOfEach(movements: readonly Movement[], payments: readonly Named[]) {
  const received = movements.filter(({ kind }) => kind === "received")
  const known = new Set(payments.map(({ reference }) => reference))
  return payments.map(({ reference, document }) =>
    received.filter((one) =>
      known.has(one.reference) ? one.reference === reference : one.document === document,
    ),
  )
}

/** What came under the reference of one payment, or on its document's page. */
export const cameFor = (movements: readonly Movement[], { reference, document }: Named) =>
  movements.filter(
    (one) => one.kind === "received" && (one.reference === reference || one.document === document),
  )

/** The sum of one kind in one currency, in hundredths. */
export function sumOf(movements: readonly Movement[], kind: Movement["kind"], currency: string) {
  const own = movements.filter((one) => one.kind === kind && one.currency === currency)
  return own.reduce((sum, { cents }) => sum + cents, 0)
}

/** An amount as anybody writes it, in hundredths. */
export const centsOf = (amount: string | number): number => Math.round(Number(amount) * 100)

const moneyOf = (amount: string, currency: string) => ({ currency, cents: centsOf(amount) })

const arrivedOf = (moved: { readonly payeeAmount: string; readonly payeeCurrency: string }) => ({
  arrived: { cents: centsOf(moved.payeeAmount), currency: moved.payeeCurrency },
})
