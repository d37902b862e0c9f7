/** How mobile money goes now, by operator, and which operators fail most of their payments. */
import { StatusBadge } from "@medusajs/ui"
import type { HomeResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Hint, Section, WideTable } from "../parts"

type Lately = HomeResponse["lately"]

/** Nothing where no shopper has tried to pay. */
export function Lately({ lately }: { readonly lately: Lately }) {
  const { say, number } = useWords()
  const nameOf = useName(lately)
  if (lately.operators.length === 0) return null
  const text = say("home.latelyText", { minutes: number(lately.minutes) })
  return (
    <Section title={say("home.lately")} beside={<Hint>{text}</Hint>}>
      <WideTable
        label={say("home.lately")}
        testId="lately"
        numbersFrom={1}
        heads={[
          say("reconciliation.operator"),
          say("reconciliation.rate"),
          say("reconciliation.succeeded"),
          say("home.operatorFailed"),
          say("home.underWay"),
          say("reconciliation.middle"),
        ]}
        rows={lately.operators.map((one) => [
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="text-nowrap">{nameOf(one)}</span>
            <Disrupted since={one.disrupted_since} />
          </span>,
          one.ended === 0 ? "–" : `${Math.round((one.completed / one.ended) * 100)} %`,
          number(one.completed),
          number(one.failed),
          number(one.under_way),
          one.p50_seconds === null
            ? "–"
            : say("reconciliation.seconds", { count: number(one.p50_seconds) }),
        ])}
      />
    </Section>
  )
}

/** The label, with its country where another operator has the same one. */
function useName({ operators }: Lately): (one: Lately["operators"][number]) => string {
  const { language } = useWords()
  const countries = new Intl.DisplayNames(language, { type: "region" })
  return ({ label, country, payment_method: method }) => {
    if (label === null) return method
    const isShared = operators.filter((one) => one.label === label).length > 1
    return isShared && country !== null ? `${label} · ${countries.of(country)}` : label
  }
}

/** The mark of a disrupted operator; nothing for another one. */
export function Disrupted({ since }: { readonly since: string | null }) {
  const { say, shortTime } = useWords()
  if (since === null) return null
  return (
    <StatusBadge color="red" className="text-nowrap" data-testid="disrupted">
      {say("home.disrupted", { when: shortTime(since) })}
    </StatusBadge>
  )
}
