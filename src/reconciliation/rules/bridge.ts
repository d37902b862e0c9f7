/**
 * Says where the money that the gateway took has gone, in each currency. Money that the gateway
 * lists as paid is held by Medusa, needs a review, went straight back, was dismissed, or is under
 * way. What is left is a difference.
 */
import { majorText, type CurrencyCode, type Money } from "../../core/money"
import { hasEnded, isDismissed, restMinor, type Operation } from "../../core/operation"
import { restBackOf, sourceKey, type GatewaySource, type SideIndex } from "./reconciliation"
import type { PeriodBridge } from "./reconciliation-responses"

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

type Place = Exclude<keyof PeriodBridge, "remainder">

/** @param captured what Medusa holds of the same payments */
export function bridgeOf(
  known: Known,
  currency: CurrencyCode,
  paid: readonly PaidSource[],
  captured: readonly Money[],
): PeriodBridge {
  const own = paid.filter(({ total }) => total.currency === currency)
  const placed = new Map<Place, Money[]>([
    ["recorded", captured.filter((one) => one.currency === currency)],
  ])
  const rests = new Map<Place, bigint>()
  for (const { source, payer, total } of own) {
    const place = placeOf(known, source, payer)
    if (place === undefined) continue
    if (place !== "recorded") placed.set(place, [...(placed.get(place) ?? []), total])
    // Recorded payments count by Medusa's own amounts, which are at most what was asked for.
    else for (const [at, minor] of restsOf(known, payer)) rests.set(at, minorAt(rests, at) + minor)
  }
  const explained = [...placed.values()].flat()
  const explainedMinor = [...rests.values()].reduce((sum, rest) => sum + rest, sumOf(explained))
  const minor = sumOf(own.map(({ total }) => total)) - explainedMinor
  const totalAt = (place: Place) => {
    const at = placed.get(place) ?? []
    const whole = sumOf(at) + minorAt(rests, place)
    return { count: at.length, amount: majorText({ minor: whole, currency }) }
  }
  return {
    recorded: totalAt("recorded"),
    under_review: totalAt("under_review"),
    given_back: totalAt("given_back"),
    dismissed: totalAt("dismissed"),
    under_way: totalAt("under_way"),
    remainder: {
      count: own.length - explained.length,
      amount: majorText({ minor, currency }),
    },
  }
}

/** Where the money of a paid source is; undefined where the ledger does not say. */
function placeOf(
  { index, held }: Known,
  source: GatewaySource,
  payer: Operation | undefined,
): Place | undefined {
  if (held.has(sourceKey(source))) return "under_review"
  return payer && placeOfOperation(index, payer, source.total)
}

/**
 * The part above the asked amount of a payment that Medusa holds: it was given back, or noted by an
 * admin. The payment itself counts as recorded.
 */
function restsOf({ index }: Known, payer: Operation | undefined): [Place, bigint][] {
  if (!payer) return []
  const backMinor = restBackOf(index, payer)
  const notedMinor = restMinor(payer) - backMinor
  return [
    ["given_back", backMinor],
    // If more went back than came above the amount, nothing counts as dismissed, and the
    // difference stays unexplained.
    ["dismissed", notedMinor > 0n ? notedMinor : 0n],
  ]
}

const minorAt = (rests: ReadonlyMap<Place, bigint>, place: Place) => rests.get(place) ?? 0n

function placeOfOperation(
  index: SideIndex,
  operation: Operation,
  total: Money | null,
): Place | undefined {
  if (isRecorded(index, operation)) return "recorded"
  if (operation.state === "review") return "under_review"
  if (operation.returnedAt !== null) return "given_back"
  if (hasEnded(operation)) return isDismissed(operation, total) ? "dismissed" : undefined
  return "under_way"
}

/**
 * Whether Medusa has the money: by the ledger, or by Medusa's records, if Medusa has just captured
 * it and the ledger is about to note that.
 */
export function isRecorded(index: SideIndex, operation: Operation): boolean {
  const { recordedAt, paymentSessionId } = operation
  if (recordedAt !== null) return true
  if (index.holderBySession.get(paymentSessionId)?.id !== operation.id) return false
  const payments = index.paymentsBySession.get(paymentSessionId) ?? []
  return payments.some((payment) => payment.isCaptured && !payment.isCanceled)
}

const sumOf = (all: readonly Money[]) => all.reduce((sum, { minor }) => sum + minor, 0n)
