/**
 * Says where the money that the gateway took has gone, in each currency. Each payment of the period
 * that has money counts as a whole in one place, with what came in, so that a place opens exactly
 * the payments that it adds up. What the gateway took beyond them is a difference.
 */
import { majorText, type CurrencyCode, type Money } from "../../core/money"
import { moneyPlaceOf, type MoneyPlace } from "../../core/money-place"
import { ofMedusa, receivedOf, type Operation } from "../../core/operation"
import { sourceKey, type GatewaySource, type SideIndex } from "./reconciliation"
import type { PeriodBridge, Total } from "../schemas/reconciliation"

/**
 * A source of this store that the gateway lists as paid, with its total or the amount asked, and
 * the try that has its money, where one is known. If a second try of the source was paid too, it is
 * one more entry.
 */
export type PaidSource = {
  readonly source: GatewaySource
  readonly payer: Operation | undefined
  readonly total: Money
}

/**
 * The sides, and the keys of sources whose money has been put under review since the sides were
 * read.
 */
type Known = { readonly index: SideIndex; readonly held: ReadonlySet<string> }

type Placed = { readonly place: MoneyPlace; readonly money: Money }

/** @param began the payments that began in the period */
export function bridgeOf(
  known: Known,
  currency: CurrencyCode,
  paid: readonly PaidSource[],
  began: readonly Operation[],
): PeriodBridge {
  const placed = [
    ...began.flatMap((operation) => receivedIn(known.index, operation)),
    ...paid.flatMap((one) => notReceivedYet(known, one)),
  ].filter(({ money }) => money.currency === currency)
  const taken = paid.flatMap(({ total }) => (total.currency === currency ? total : []))
  const totalAt = (wanted: MoneyPlace): Total => {
    const at = placed.filter(({ place }) => place === wanted)
    const minor = sumOf(at.map(({ money }) => money))
    return { count: at.length, amount: majorText({ minor, currency }) }
  }
  const minor = sumOf(taken) - sumOf(placed.map(({ money }) => money))
  return {
    recorded: totalAt("recorded"),
    under_review: totalAt("under_review"),
    given_back: totalAt("given_back"),
    dismissed: totalAt("dismissed"),
    under_way: totalAt("under_way"),
    remainder: { count: taken.length - placed.length, amount: majorText({ minor, currency }) },
  }
}

const sumOf = (all: readonly Money[]) => all.reduce((sum, { minor }) => sum + minor, 0n)

function receivedIn(index: SideIndex, operation: Operation): Placed[] {
  const money = receivedOf(operation)
  const place = isRecorded(index, operation) ? "recorded" : moneyPlaceOf(operation)
  return money && place ? [{ place, money }] : []
}

/** Money that the gateway lists as paid, and that a payment which has not ended does not have yet. */
function notReceivedYet({ held }: Known, { source, payer, total }: PaidSource): Placed[] {
  if (payer && receivedOf(payer)) return []
  if (held.has(sourceKey(source))) return [{ place: "under_review", money: total }]
  const place = payer && moneyPlaceOf({ ...payer, sourceStatus: "PAID" })
  return payer && place ? [{ place, money: payer.amount }] : []
}

/**
 * Whether Medusa has the money: by the ledger, or by Medusa's records, if Medusa has just captured
 * it and the ledger is about to note that.
 */
export function isRecorded(index: SideIndex, operation: Operation): boolean {
  const { recordedAt, paymentSessionId } = ofMedusa(operation)
  if (recordedAt !== null) return true
  if (index.holderBySession.get(paymentSessionId)?.id !== operation.id) return false
  const payments = index.paymentsBySession.get(paymentSessionId) ?? []
  return payments.some((payment) => payment.isCaptured && !payment.isCanceled)
}
