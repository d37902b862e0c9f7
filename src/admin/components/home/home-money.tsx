/** The money of each period, by currency, against the period before; each figure opens its rows. */
import { Container, Heading } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { HOME_FIGURES, homeLink, type HomeFigure } from "../../lib/figure-links"
import type { MoneySums, OverviewPeriod } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Hint, Strong } from "../parts"

/** As many cards beside each other as have room. */
const CARDS = { gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 250px), 1fr))" }

export function MoneyCards({ periods }: { readonly periods: readonly OverviewPeriod[] }) {
  return (
    <div className="grid gap-3" style={CARDS}>
      {periods.map((one) => (
        <Card key={one.period} of={one} />
      ))}
    </div>
  )
}

/** The week's second line wraps; the rows of all cards begin at one height. */
const HEAD = { minHeight: 86 }

function Card({ of }: { readonly of: OverviewPeriod }) {
  const { say } = useWords()
  return (
    <Container className="flex flex-col divide-y p-0" data-testid={`money-${of.period}`}>
      <div className="px-6 py-3" style={HEAD}>
        <Heading level="h2">{say(`home.${of.period}`)}</Heading>
        <Hint>{say(`home.against_${of.period}`)}</Hint>
      </div>
      {of.sums.length === 0 && <Hint className="px-6 py-3">{say("home.nothing")}</Hint>}
      {of.sums.map((sums) => (
        <Currency
          key={sums.currency}
          of={of}
          sums={sums}
          before={of.before.sums.find(({ currency }) => currency === sums.currency)}
        />
      ))}
    </Container>
  )
}

function Currency(props: {
  readonly of: OverviewPeriod
  readonly sums: MoneySums
  readonly before: MoneySums | undefined
}) {
  const { say, exact } = useWords()
  const { of, sums, before } = props
  const { currency, without_fees: count } = sums
  const shown = HOME_FIGURES.filter(
    (figure) =>
      (figure !== "sent" || sums.sendings + (before?.sendings ?? 0) > 0) &&
      (figure !== "taken_back" || sums.takings_back + (before?.takings_back ?? 0) > 0),
  )
  return (
    <div className="flex flex-col gap-y-2 px-6 py-3" role="group" aria-label={currency}>
      <Strong>{currency}</Strong>
      {shown.map((figure) => (
        <FigureRow key={figure} figure={figure} of={of} sums={sums} before={before} />
      ))}
      {count > 0 && (
        <Hint>
          {say("home.unknownFees", { count, amount: exact(sums.amount_without_fees, currency) })}
        </Hint>
      )}
    </div>
  )
}

/** The figure, and below it that of the period before with the change. */
function FigureRow(props: {
  readonly figure: HomeFigure
  readonly of: OverviewPeriod
  readonly sums: MoneySums
  readonly before: MoneySums | undefined
}) {
  const { say, exact, language } = useWords()
  const { figure, of, sums, before } = props
  const { currency } = sums
  const isAtMost = figure === "net" && sums.without_fees > 0
  const old = before?.[figure] ?? "0"
  const change = changeOf(sums[figure], old, language)
  return (
    <div className="flex items-start justify-between gap-x-3" data-testid={figure}>
      <Hint>{say(isAtMost ? "home.netAtMost" : `home.${figure}`)}</Hint>
      <span className="flex min-w-0 flex-col items-end tabular-nums">
        <Link to={homeLink(figure, currency, of)} className="txt-compact-small-plus underline">
          {exact(sums[figure], currency)}
        </Link>
        <Link
          to={homeLink(figure, currency, of.before)}
          className="text-ui-fg-subtle text-right text-xs"
          title={say(`home.against_${of.period}`)}
        >
          {exact(old, currency)}
          {change && ` · ${change}`}
        </Link>
      </span>
    </div>
  )
}

/** `+12%`; undefined where there was nothing to compare with, or where the sign is another one. */
function changeOf(now: string, before: string, language: string): string | undefined {
  const [one, other] = [Number(now), Number(before)]
  if (other === 0 || Math.sign(one) === -Math.sign(other)) return undefined
  const style = { style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const
  return new Intl.NumberFormat(language, style).format(one / other - 1)
}
