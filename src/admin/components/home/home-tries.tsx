/** How the tries of the last seven days ended, by operator, and how long payers took. */
import { Link } from "react-router-dom"
import { listAddress } from "../../lib/filters"
import type { HomeResponse } from "../../lib/responses"
import { useWords } from "../../lib/words"
import { Hint, Section, WideTable } from "../parts"
import { Disrupted } from "./home-lately"

type Tries = HomeResponse["tries"]

export function Tries(props: { readonly tries: Tries; readonly lately: HomeResponse["lately"] }) {
  const { tries, lately } = props
  const { say, number } = useWords()
  const ended = tries.by_operator.filter(({ success }) => success.rate !== null)
  const seconds = (value: number | null) =>
    value === null ? "–" : say("reconciliation.seconds", { count: number(value) })
  return (
    <Section title={say("home.tries")} beside={<Hint>{say("home.triesText")}</Hint>}>
      {ended.length === 0 ? (
        <Hint className="px-6 py-4">{say("reconciliation.noTries")}</Hint>
      ) : (
        <WideTable
          label={say("home.tries")}
          testId="tries"
          numbersFrom={1}
          heads={[
            say("reconciliation.operator"),
            say("reconciliation.rate"),
            say("reconciliation.succeeded"),
            say("home.notPaid"),
            say("reconciliation.middle"),
            say("reconciliation.nine"),
          ]}
          rows={ended.map((one) => [
            <span className="inline-flex flex-wrap items-center gap-2">
              <Operator of={one} from={tries.from} />
              <Disrupted since={sinceOf(lately, one.payment_method)} />
            </span>,
            `${Math.round((one.success.rate ?? 0) * 100)} %`,
            number(one.success.completed),
            number(one.success.failed + one.success.expired),
            seconds(one.confirming.p50_seconds),
            seconds(one.confirming.p90_seconds),
          ])}
        />
      )}
    </Section>
  )
}

const sinceOf = ({ operators }: HomeResponse["lately"], method: string | null) =>
  operators.find(({ payment_method }) => payment_method === method)?.disrupted_since ?? null

function Operator(props: { readonly of: Tries["by_operator"][number]; readonly from: string }) {
  const { say } = useWords()
  const { label, carrier, currency, payment_method: method } = props.of
  const filters = {
    type: ["COLLECTION"],
    ...(method && { operator: method }),
    currency,
    created: { $gte: props.from },
  }
  return (
    <Link to={listAddress(filters)} className="text-nowrap underline">
      {label ?? carrier ?? say("reconciliation.unnamed")} · {currency}
    </Link>
  )
}
