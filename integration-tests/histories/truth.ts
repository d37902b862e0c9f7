/**
 * What is true of a history, by the gateway's own book alone: which money came, which went back, and
 * on which day. It knows nothing of the product.
 */
import type { BookView } from "../../packages/simulator/src/book/view"

export type Movement = {
  readonly kind: "received" | "refunded"
  readonly currency: string
  /** Hundredths, above zero. */
  readonly cents: number
}

/** Everything that has moved by now. */
export function movementsOf(
  book: Pick<BookView, "executions" | "refunds" | "document">,
): Movement[] {
  const received = book.executions().flatMap(({ charges, sourceId }) => {
    const source = book.document(sourceId)
    if (charges === 0 || !source) return []
    return { kind: "received", ...moneyOf(source.totalAmount, source.currency) } as const
  })
  const refunded = book
    .refunds()
    .filter(({ status }) => status === "COMPLETED")
    .map(({ amount, currency }) => ({ kind: "refunded", ...moneyOf(amount, currency) }) as const)
  return [...received, ...refunded]
}

/** The sum of one kind in one currency, in hundredths. */
export function sumOf(movements: readonly Movement[], kind: Movement["kind"], currency: string) {
  const own = movements.filter((one) => one.kind === kind && one.currency === currency)
  return own.reduce((sum, { cents }) => sum + cents, 0)
}

/** An amount as anybody writes it, in hundredths. */
export const centsOf = (amount: string | number): number => Math.round(Number(amount) * 100)

const moneyOf = (amount: string, currency: string) => ({ currency, cents: centsOf(amount) })
