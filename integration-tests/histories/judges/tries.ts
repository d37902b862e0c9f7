/** How payments end, on the home page and in the metrics. */
import { FLOWS } from "../../../src/core/flows"
import type { Overview } from "../../../src/reconciliation/schemas/overview"
import { centsOf } from "../truth"
import { differ, type Look, type Row } from "./look"

const ENDS = ["completed", "failed", "expired"] as const
const isEnded = ({ state }: Row) => ENDS.some((end) => end === state)

/** How tries ended and what they brought, in all and by operator, is what their pages say. */
export async function triesAreThePages({ shown }: Look): Promise<string[]> {
  const { from, by_operator: operators, success, confirming } = (await shown.home()).tries
  const began = (await shown.details()).filter(
    ({ type, created_at: at }) => type === "COLLECTION" && at >= from,
  )
  const tried = began.filter(
    (one) =>
      isEnded(one) && !one.is_duplicate && one.submitted_at !== null && one.dismissed_at === null,
  )
  const brought = began.filter(({ figures }) => figures.gross !== null)
  const stated = operators.map((one) => [
    keyOf(one),
    one.count,
    centsOf(one.amount),
    endsOf(one.success),
  ])
  const all = began.filter((one) => isEnded(one) || one.figures.gross !== null)
  const wanted = [...new Set(all.map(ofRow))].map((key) => {
    const own = brought.filter((one) => ofRow(one) === key)
    const cents = own.reduce((sum, { figures }) => sum + centsOf(figures.gross ?? 0), 0)
    return [key, own.length, cents, countEnds(tried.filter((one) => ofRow(one) === key))]
  })
  const completed = began.filter(({ state }) => state === "completed").length
  const sums = operators.reduce((sum, one) => sum + one.confirming.count, 0)
  return [
    ...differ("how tries ended on Home", endsOf(success), countEnds(tried)),
    ...differ("how tries ended by operator", stated.sort(), wanted.sort()),
    ...differ("how many were confirmed", sums, confirming.count),
    ...(confirming.count > completed ? ["more were confirmed than are completed"] : []),
  ]
}

type Ends = Readonly<Record<(typeof ENDS)[number], number>> & { readonly rate: number | null }

const endsOf = ({ completed, failed, expired, rate }: Ends) => [completed, failed, expired, rate]

function countEnds(rows: readonly Row[]) {
  const [completed = 0, failed = 0, expired = 0] = ENDS.map(
    (end) => rows.filter(({ state }) => state === end).length,
  )
  const rate = rows.length === 0 ? null : completed / rows.length
  return [completed, failed, expired, rate]
}

type Operator = { readonly payment_method: string | null; readonly carrier: string | null }

const keyOf = (one: Operator & { readonly currency: string }) =>
  `${one.payment_method} ${one.carrier} ${one.currency}`
const ofRow = ({ operator, currency }: Row) =>
  keyOf({ payment_method: null, carrier: null, ...operator, currency })

/** A page's moment and the database's may differ by so much. */
const SLACK_MS = 2_000

/** What Home says of operators just now is what the list's payments of these minutes say. */
export async function latelyIsTheList({ shown, span }: Look): Promise<string[]> {
  const { minutes, operators } = (await shown.home()).lately
  const { disrupted } = await shown.gauges()
  const asked = (await shown.all()).operations.filter(
    ({ type, flow }) => type === "COLLECTION" && FLOWS[flow].asks === "phone",
  )
  const nowMs = span.to.getTime()
  const within = (slackMs: number) =>
    asked.filter(({ created_at: at }) => nowMs - Date.parse(at) < minutes * 60_000 + slackMs)
  const underWay = within(-SLACK_MS).filter(isUnderWay)
  const named = [...operators, ...underWay.flatMap(({ operator }) => operator ?? [])]
  const names = [...new Set(named.map(methodOf))]
  const told = operators.filter(({ status }) => status === "disrupted")
  return [
    ...differ("what the metrics say is disrupted", disrupted, told.map(methodOf)),
    ...names.flatMap((name) => {
      const [least, most] = [within(-SLACK_MS), within(SLACK_MS)].map((rows) =>
        countsOf(rows.filter(({ operator }) => operator?.payment_method === name)),
      )
      const stated = operators.find((one) => methodOf(one) === name)
      return least && most ? fits(name, stated, least, most) : []
    }),
  ]
}

type Lately = Pick<Overview["lately"]["operators"][number], "completed" | "under_way" | "ended">
const NONE = { completed: 0, under_way: 0, ended: 0, failed: 0 }

const countsOf = (rows: readonly Row[]): Lately => ({
  completed: rows.filter(({ state }) => state === "completed").length,
  under_way: rows.filter(isUnderWay).length,
  ended: rows.filter(isEnded).length,
})

/** Of one payer only the last try counts as ended. */
function fits(name: string, told: Lately & { failed: number } = NONE, least: Lately, most: Lately) {
  const wrong = (["completed", "under_way"] as const).filter(
    (one) => told[one] < least[one] || told[one] > most[one],
  )
  return [
    ...wrong.map((one) => `${one} of ${name} lately is ${told[one]}, and should be ${most[one]}`),
    ...(told.ended > most.ended || told.failed > told.ended
      ? [`of ${name}, ${told.ended} ended lately and ${told.failed} failed, of ${most.ended}`]
      : []),
  ]
}

const methodOf = ({ payment_method: method }: { readonly payment_method: string }) => method
const isUnderWay = ({ state }: Row) => state === "submitted" || state === "in_flight"
