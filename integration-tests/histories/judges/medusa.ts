/** What Medusa's own pages say of an order's money. */
import type { Cart } from "../../support/medusa-in-memory"
import { centsOf } from "../truth"
import { differ, type Look } from "./look"

/**
 * What a shopper's page calls paid is captured in Medusa, once and in full. What was captured onto
 * an order that is canceled counts as recorded only if it was before.
 */
export async function paidIsCaptured({ shown, carts }: Look): Promise<string[]> {
  const statuses = await shown.statuses()
  const paid = [...statuses].filter(([, { status }]) => status.state === "paid")
  const all = [...carts.values()]
  const most = capturedIn(all)
  const least = capturedIn(all.filter(({ order }) => order?.isCanceled !== true))
  const { totals } = await shown.all()
  const recorded = (totals ?? []).reduce((sum, one) => sum + centsOf(one.recorded.amount), 0)
  return [
    ...(paid.length > 0 && (most === 0 || all.every(({ order }) => !order))
      ? [`${paid[0]?.[0]} reads paid, and Medusa has no order with its money`]
      : []),
    ...(recorded < least || recorded > most
      ? differ("what the list says Medusa holds", recorded, most)
      : []),
  ]
}

const capturedIn = (carts: readonly Cart[]) =>
  carts
    .flatMap(({ payments }) => payments)
    .filter((one) => one.isCaptured && !one.isCanceled)
    .reduce((sum, { amount }) => sum + centsOf(amount ?? 0), 0)

/**
 * Medusa's refunds are those that the payments' pages show, and were not refused. Of one under review
 * Medusa was told no, if the gateway's call had no answer, and has none then; or it was told yes.
 */
export async function refundsAreMedusas({ shown, carts }: Look): Promise<string[]> {
  const listed = (await shown.details())
    .filter(({ type }) => type === "COLLECTION")
    .flatMap(({ refunds }) => refunds)
  const refunds = [...carts.values()].flatMap((one) => one.refunds)
  const isMedusas = (id: string | null) => refunds.some((one) => one.id === id)
  const live = listed.filter(
    ({ refund_id: id, progress }) =>
      id !== null && progress !== "failed" && (progress !== "under_review" || isMedusas(id)),
  )
  const linesOf = (all: readonly (readonly [string | null, number | string])[]) =>
    all.map(([id, amount]) => `${id}: ${centsOf(amount)}`).sort()
  return differ(
    "what the payments' pages show as Medusa's refunds",
    linesOf(live.map(({ refund_id: id, amount }) => [id, amount] as const)),
    linesOf(refunds.map(({ id, amount }) => [id, amount] as const)),
  )
}
