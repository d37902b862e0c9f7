/** The home page: its figures, what they open, and the accountant's sheet of the same money. */
import { homeLink, HOME_FIGURES, type HomeFigure } from "../../../src/admin/lib/figure-links"
import type { MoneySums } from "../../../src/reconciliation/schemas/overview"
import { queryOfLink } from "../shown"
import { centsOf } from "../truth"
import type { Totals } from "./list"
import { differ, drawn, some, type Look } from "./look"

/** Each figure of the home page opens rows that add up to it: of one span, and of all at the end. */
export async function figuresOpenTheirRows(look: Look): Promise<string[]> {
  const { shown, dice, most, isQuiet } = look
  const { periods, days } = await shown.home()
  const spans = [
    ...periods.map((one) => ({ ...one, name: one.period })),
    ...periods.map(({ period, before }) => ({ ...before, name: `the time before ${period}` })),
    ...days.map((one) => ({ ...one, name: one.day })),
  ]
  const moved = spans.filter(({ sums }) => sums.length > 0)
  const looked = isQuiet ? some(moved, dice, most) : drawn(moved, dice)
  const found: string[] = []
  for (const { name, sums, ...span } of looked) {
    for (const of of sums) {
      for (const figure of HOME_FIGURES) {
        const link = queryOfLink(homeLink(figure, of.currency, span))
        const { totals } = await shown.list({ ...link, limit: "1" })
        const opened = totals?.find(({ currency }) => currency === of.currency)
        found.push(...differ(`${figure} of ${name}`, centsOf(of[figure]), openedOf(figure, opened)))
      }
    }
  }
  return found
}

function openedOf(figure: HomeFigure, totals: Totals | undefined): number {
  if (!totals) return 0
  const { payments, refunds, taken_back, sent, net_after_refunds } = totals
  return {
    received: centsOf(payments.amount),
    fees: -centsOf(payments.fees) || 0,
    refunded: -centsOf(refunds.amount) || 0,
    taken_back: -centsOf(taken_back.amount) || 0,
    net: centsOf(net_after_refunds),
    sent: -centsOf(sent.amount) || 0,
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
    const net = home((one) => one.net)
    const listed = centsOf(totals?.find((one) => one.currency === currency)?.payments.amount ?? 0)
    const written = sheetSums(sheet, currency)
    return [
      ...differ(`received in ${currency} on the sheet`, written.received, received),
      ...differ(`net in ${currency} on the sheet`, written.net, net),
      ...differ(`the sheet's last line of ${currency}`, written.last, written.received),
      ...differ(`received in ${currency} of all rows`, listed, received),
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
