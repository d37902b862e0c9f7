/** The home page: its figures, what they open, and the accountant's sheet of the same money. */
import { homeLink, HOME_FIGURES, type HomeFigure } from "../../../src/admin/lib/figure-links"
import type { MoneySums } from "../../../src/reconciliation/schemas/overview"
import { queryOfLink } from "../shown"
import { centsOf } from "../truth"
import { differ, drawn, some, type Look, type Row } from "./look"
import type { Totals } from "./totals"

/** Of a quiet look: each figure of each span asks for a list of its own. */
const SPANS = 3
const FIGURES = 2

/** Figures of the home page open rows that add up to them: of one span, of more when quiet. */
export async function figuresOpenTheirRows(look: Look): Promise<string[]> {
  const { shown, dice, most, isQuiet } = look
  const { periods, days } = await shown.home()
  const spans = [
    ...periods.map((one) => ({ ...one, name: one.period })),
    ...periods.map(({ period, before }) => ({ ...before, name: `the time before ${period}` })),
    ...days.map((one) => ({ ...one, name: one.day })),
  ]
  const moved = spans.filter(({ sums }) => sums.length > 0)
  const looked = isQuiet ? some(moved, dice, Math.min(most, SPANS)) : drawn(moved, dice)
  const found: string[] = []
  for (const { name, sums, ...span } of looked) {
    for (const of of sums) {
      for (const figure of some(HOME_FIGURES, dice, FIGURES)) {
        const link = queryOfLink(homeLink(figure, of.currency, span))
        const { totals } = await shown.list({ ...link, limit: "1" })
        const opened = totals?.find(({ currency }) => currency === of.currency)
        const opens = opened ? openedOf(figure, opened) : [0, 0]
        found.push(...differ(`${figure} of ${name}`, statedOf(figure, of), opens))
      }
    }
  }
  return found
}

/** The figure in hundredths, and the number that stands beside it. */
const statedOf = (figure: HomeFigure, sums: MoneySums): number[] => [
  centsOf(sums[figure]),
  {
    received: sums.payments,
    fees: sums.without_fees,
    refunded: sums.refunds,
    taken_back: sums.takings_back,
    net: centsOf(sums.amount_without_fees),
    sent: sums.sendings,
  }[figure],
]

function openedOf(figure: HomeFigure, totals: Totals): number[] {
  const { payments, refunds, taken_back: taken, sent, net_after_refunds: net } = totals
  const out = (amount: string) => -centsOf(amount) || 0
  return {
    received: [centsOf(payments.amount), payments.count],
    fees: [out(payments.fees), payments.without_fees],
    refunded: [out(refunds.amount), refunds.count],
    taken_back: [out(taken.amount), taken.count],
    net: [centsOf(net), centsOf(payments.amount_without_fees)],
    sent: [out(sent.amount), sent.count],
  }[figure]
}

/** The days of the home page, the list of all time and the sheet add up to the same. */
export async function sumsAreOne({ shown }: Look): Promise<string[]> {
  const { days } = await shown.home()
  const sheet = await shown.sheet()
  const { totals } = await shown.all()
  const currencies = new Set(days.flatMap(({ sums }) => sums.map((one) => one.currency)))
  return [...currencies].flatMap((currency) => {
    const home = (of: (sums: MoneySums) => string) =>
      days
        .flatMap(({ sums }) => sums.filter((one) => one.currency === currency))
        .reduce((sum, one) => sum + centsOf(of(one)), 0)
    const received = home((one) => one.received)
    const back = home((one) => one.refunded) + home((one) => one.taken_back)
    const net = home((one) => one.net)
    const listed = centsOf(totals?.find((one) => one.currency === currency)?.payments.amount ?? 0)
    const written = sheetSums(sheet, currency)
    return [
      ...differ(`received in ${currency} on the sheet`, written.received, received),
      ...differ(`net in ${currency} on the sheet`, written.net, net),
      ...differ(`the sheet's last line of ${currency}`, written.last, written.received),
      ...differ(`received in ${currency} of all rows`, listed, received),
      ...differ(
        `went back in ${currency} on Home`,
        home((one) => one.went_back),
        back,
      ),
    ]
  })
}

function sheetSums([head = [], ...lines]: readonly (readonly string[])[], currency: string) {
  const at = (name: string) => head.indexOf(name)
  const own = lines.filter((line) => line[at("Currency")] === currency)
  const isTotal = (line: readonly string[]) => line[at("Type")] === "Total"
  const sum = (name: string) =>
    own
      .filter((line) => !isTotal(line))
      .reduce((all, line) => all + centsOf(line[at(name)] ?? 0), 0)
  const last = own.find(isTotal)
  return { received: sum("Received"), net: sum("Net"), last: centsOf(last?.[at("Received")] ?? 0) }
}

/** What waits for an admin is worth, on Home, what its cases in the list are. */
export async function waitingIsItsCases({ shown }: Look): Promise<string[]> {
  const { sums } = (await shown.home()).waiting
  const rows = (await shown.all()).operations
  const cases = (await shown.list({ needs_attention: "true" })).operations
  const wanted = [...new Set(cases.map(({ currency }) => currency))].sort().map((currency) => {
    const own = cases.filter((one) => one.currency === currency)
    const payments = new Set(own.map(({ id, parent_id: parent }) => parent ?? id))
    const amount = [...payments].reduce((sum, id) => sum + atStake(id, own, rows), 0)
    return { currency, count: own.length, amount }
  })
  const told = sums.map(({ amount, ...one }) => ({ ...one, amount: centsOf(amount) }))
  return differ("what waits on Home", told, wanted)
}

/** Of one payment: all that its cases ask about, and of refunds no more than is left of it. */
function atStake(id: string, cases: readonly Row[], rows: readonly Row[]): number {
  const own = cases.filter((one) => (one.parent_id ?? one.id) === id)
  const held = own.filter(({ taken_back_at: at }) => at === null)
  const parent = own.some(({ parent_id: one }) => one !== null) && rows.find((one) => one.id === id)
  const sum = held.reduce((all, one) => all + leftOf(one), 0)
  return parent ? Math.min(leftOf(parent), sum) : sum
}

const leftOf = (row: Row) =>
  centsOf(row.collected_amount ?? row.amount) - centsOf(row.refunded_amount)
