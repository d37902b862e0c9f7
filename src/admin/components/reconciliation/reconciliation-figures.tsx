/** Income by operator, the success rate, and how long payers took. */
import { Link } from "react-router-dom"
import { receivedLink } from "../../lib/figure-links"
import { calendarDay } from "../../lib/period"
import type { Operator, PeriodFigures } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Chart } from "../charts"
import { Hint, Section, Strong } from "../parts"

const TRIES = [
  "reconciliation.operator",
  "reconciliation.succeeded",
  "reconciliation.failed",
  "reconciliation.expired",
  "reconciliation.rate",
] as const

type Of = { readonly figures: PeriodFigures }

/** @param period the period of the list that each sum opens */
export function Figures({
  figures,
  period,
}: Of & { readonly period: { readonly from: string; readonly to: string } }) {
  const { say, exact } = useWords()
  return (
    <Section
      title={say("reconciliation.figures")}
      beside={
        <span className="flex flex-wrap gap-4 tabular-nums">
          {figures.by_currency.map(({ currency, amount, count }) => (
            <Link key={currency} to={receivedLink(currency, period)} className="underline">
              <Strong>
                {exact(amount, currency)} · {say("reconciliation.count", { count })}
              </Strong>
            </Link>
          ))}
        </span>
      }
    >
      <Collected figures={figures} />
      <div className="grid grid-cols-1 lg:grid-cols-2">
        <Success figures={figures} />
        <Confirming figures={figures} />
      </div>
    </Section>
  )
}

/** A chart for each currency: two currencies never share one. */
function Collected({ figures }: Of) {
  const { say, day, language } = useWords()
  const nameOf = useName()
  const format = new Intl.NumberFormat(language, { notation: "compact" })
  const amount = say("reconciliation.amount")
  return figures.by_currency.map(({ currency }) => {
    const own = figures.by_day.filter((one) => one.currency === currency)
    const days = [...new Set(own.map((one) => one.day))].sort()
    const operators = figures.by_operator.filter(
      (one) => one.currency === currency && one.count > 0,
    )
    const isOneDay = days.length === 1
    const bars = isOneDay
      ? operators.map((one) => ({ name: nameOf(one), values: { [amount]: Number(one.amount) } }))
      : days.map((on) => ({
          name: day(calendarDay(on).toISOString()),
          values: valuesOf(
            own.filter((one) => one.day === on),
            nameOf,
          ),
        }))
    const what = say(isOneDay ? "reconciliation.collected" : "reconciliation.perDay")
    return (
      <Chart
        key={currency}
        title={`${what} · ${currency}`}
        bars={bars}
        series={isOneDay ? [amount] : [...new Set(operators.map(nameOf))]}
        layout={isOneDay ? "lying" : "standing"}
        format={(value) => format.format(value)}
        heads={[say("reconciliation.operator"), say("reconciliation.payments"), amount]}
        rows={operators.map((one) => [nameOf(one), one.count, one.amount])}
      />
    )
  })
}

function valuesOf(
  own: readonly (Operator & { readonly amount: string })[],
  nameOf: (one: Operator) => string,
): Record<string, number> {
  const values: Record<string, number> = {}
  for (const one of own) values[nameOf(one)] = (values[nameOf(one)] ?? 0) + Number(one.amount)
  return values
}

function Success({ figures }: Of) {
  const { say } = useWords()
  const nameOf = useName()
  const known = figures.by_operator.filter(({ success }) => success.rate !== null)
  const { rate } = figures.success
  const [title, series] = [say("reconciliation.success"), say("reconciliation.rate")]
  const percent = (value: number) => `${Math.round(value * 1_000) / 10} %`
  if (rate === null) return <Nothing title={title} text={say("reconciliation.noTries")} />
  return (
    <Chart
      title={`${title}: ${percent(rate)}`}
      text={say("reconciliation.successText")}
      bars={known.map((one) => ({
        name: `${nameOf(one)} · ${one.currency}`,
        values: { [series]: one.success.rate ?? 0 },
      }))}
      series={[series]}
      layout="lying"
      most={1}
      format={percent}
      heads={TRIES.map((name) => say(name))}
      rows={known.map(({ success, ...one }) => [
        `${nameOf(one)} · ${one.currency}`,
        success.completed,
        success.failed,
        success.expired,
        percent(success.rate ?? 0),
      ])}
    />
  )
}

function Confirming({ figures }: Of) {
  const { say, number } = useWords()
  const nameOf = useName()
  const known = figures.by_operator.flatMap(({ confirming, ...one }) => {
    const { count, p50_seconds: middle, p90_seconds: nine } = confirming
    const name = `${nameOf(one)} · ${one.currency}`
    return count > 0 ? [{ name, count, middle: middle ?? 0, nine: nine ?? 0 }] : []
  })
  const title = say("reconciliation.confirming")
  if (known.length === 0) return <Nothing title={title} text={say("reconciliation.noTimes")} />
  const seconds = (value: number) => say("reconciliation.seconds", { count: number(value) })
  const series = [say("reconciliation.middle"), say("reconciliation.nine")] as const
  return (
    <Chart
      title={title}
      text={say("reconciliation.confirmingText")}
      bars={known.map(({ name, middle, nine }) => ({
        name,
        values: { [series[0]]: middle, [series[1]]: nine },
      }))}
      series={series}
      layout="lying"
      format={seconds}
      heads={[say("reconciliation.operator"), say("reconciliation.payments"), ...series]}
      rows={known.map(({ name, count, middle, nine }) => [
        name,
        count,
        seconds(middle),
        seconds(nine),
      ])}
    />
  )
}

function Nothing({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="flex flex-col px-6 py-4">
      <span className="txt-compact-small-plus text-ui-fg-base">{title}</span>
      <Hint>{text}</Hint>
    </div>
  )
}

/** The operator's name; the gateway's code is for programs. */
function useName(): (one: Operator) => string {
  const { say } = useWords()
  return ({ label, carrier }) => label ?? carrier ?? say("reconciliation.unnamed")
}
