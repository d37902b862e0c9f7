/** What was received on each of the last 30 days, as a small line for each currency. */
import { Link } from "react-router-dom"
import { homeLink } from "../../lib/figure-links"
import { calendarDay } from "../../lib/period"
import type { HomeResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Hint, Section, Strong } from "../parts"

type Days = HomeResponse["days"]

const [WIDTH, HEIGHT] = [300, 40]

export function LastDays({ days }: { readonly days: Days }) {
  const { say } = useWords()
  const currencies = [
    ...new Set(days.flatMap(({ sums }) => sums.map(({ currency }) => currency))),
  ].sort()
  return (
    <Section title={say("home.lastDays")}>
      {currencies.length === 0 && <Hint className="px-6 py-4">{say("home.nothing")}</Hint>}
      {currencies.map((currency) => (
        <OfCurrency key={currency} currency={currency} days={days} />
      ))}
    </Section>
  )
}

function OfCurrency({ currency, days }: { readonly currency: string; readonly days: Days }) {
  const { say, exact, day } = useWords()
  const received = days.map((one) => {
    const own = one.sums.find((sums) => sums.currency === currency)
    return { day: one.day, amount: own?.received ?? "0", payments: own?.payments ?? 0 }
  })
  const best = received.reduce((most, one) =>
    Number(one.amount) > Number(most.amount) ? one : most,
  )
  const span = { from: days[0]?.from ?? "", to: days.at(-1)?.to ?? "" }
  const texts = {
    count: received.reduce((sum, { payments }) => sum + payments, 0),
    amount: exact(best.amount, currency),
    day: day(calendarDay(best.day).toISOString()),
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 py-3" data-testid="days">
      <span className="flex flex-col">
        <Link
          to={homeLink("received", currency, span)}
          className="txt-compact-small-plus underline"
        >
          {say("home.daysOf", { currency, count: texts.count })}
        </Link>
        <Hint>{say("home.best", texts)}</Hint>
      </span>
      <Sparkline
        values={received.map(({ amount }) => Number(amount))}
        label={say("home.lineOf", { currency, ...texts })}
      />
      <details className="w-full">
        <summary className="txt-compact-small text-ui-fg-subtle cursor-pointer">
          {say("reconciliation.table")}
        </summary>
        <ul className="flex flex-col py-2">
          {received
            .filter(({ payments }) => payments > 0)
            .map((one) => (
              <li key={one.day} className="flex justify-between gap-x-4 tabular-nums">
                <Hint>{day(calendarDay(one.day).toISOString())}</Hint>
                <Strong>{exact(one.amount, currency)}</Strong>
              </li>
            ))}
        </ul>
      </details>
    </div>
  )
}

function Sparkline(props: { readonly values: readonly number[]; readonly label: string }) {
  const { values, label } = props
  const most = Math.max(...values, 1)
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, n) => `${n * step},${HEIGHT - (value / most) * HEIGHT}`)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
      style={{ width: WIDTH, maxWidth: "100%", height: HEIGHT + 4 }}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="var(--tag-blue-icon)"
        strokeWidth={2}
        strokeLinejoin="round"
      />
    </svg>
  )
}
