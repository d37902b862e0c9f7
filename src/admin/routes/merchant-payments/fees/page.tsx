/** What payments cost: the calculator, then the gateway's plans and rates. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Badge, Container, Heading } from "@medusajs/ui"
import { FeeCalculator } from "../../../components/accounts/fee-calculator"
import { Cells, Hint, Problem, Section, Waiting } from "../../../components/parts"
import type { FeesResponse, RateResponse } from "../../../lib/responses"
import { percentText } from "../../../lib/amount-text"
import { methodName, useFees } from "../../../lib/money-out"
import { useWords, type Say, type Words } from "../../../lib/words"

const Fees = () => {
  const { say, time } = useWords()
  const { data, error, refetch } = useFees()
  return (
    <div className="flex flex-col gap-y-3">
      <Container className="px-6 py-4">
        <Heading level="h1">{say("fees.title")}</Heading>
        <Hint>
          {say("fees.subtitle")} {data && say("fees.readAt", { when: time(data.read_at) })}
        </Hint>
      </Container>
      <Problem error={error} again={() => void refetch()} />
      {!data && !error && <Waiting rows={8} />}
      {data && <FeeCalculator fees={data} />}
      {data && <Tiers fees={data} />}
      {data && <GatewayRates fees={data} />}
    </div>
  )
}

type Of = { readonly fees: FeesResponse }

function Tiers({ fees }: Of) {
  const words = useWords()
  const { say, language } = words
  const rows = fees.tiers.flatMap((tier) =>
    tier.rates.map((rate, index) => [
      index === 0 && (
        <>
          {tier.name} {tier.is_default && <Badge size="2xsmall">{say("fees.usual")}</Badge>}
        </>
      ),
      ...rateCells(words, rate),
      percentText(rate.fx_percentage, language),
    ]),
  )
  return (
    <Section title={say("fees.tiers")}>
      <Cells heads={[say("fees.tier"), ...rateHeads(say), say("fees.fx")]} rows={rows} />
      {fees.tiers.length === 0 && <Hint className="px-6 py-4">{say("fees.none")}</Hint>}
    </Section>
  )
}

function GatewayRates({ fees }: Of) {
  const words = useWords()
  const { say } = words
  const rows = fees.gateway.flatMap((method) =>
    method.rates.map((rate, index) => [
      index === 0 && [methodName(say, method), method.country].filter(Boolean).join(" · "),
      ...rateCells(words, rate),
    ]),
  )
  return (
    <Section title={say("fees.gateway")}>
      <Cells heads={[say("fees.method"), ...rateHeads(say)]} rows={rows} />
      {fees.gateway.length === 0 && <Hint className="px-6 py-4">{say("fees.none")}</Hint>}
    </Section>
  )
}

const rateHeads = (say: Say) => [say("fees.what"), say("fees.percentage"), say("fees.fixed")]

/** The gateway's numbers as it wrote them: exact text, never a float. */
function rateCells({ coded, exact, language }: Words, rate: RateResponse): readonly string[] {
  const { fixed_fee: fixed, fixed_fee_currency: currency } = rate
  return [
    coded(`type.${rate.operation_type}`),
    percentText(rate.percentage, language),
    fixed === null ? "–" : exact(fixed, currency ?? ""),
  ]
}

export const config = defineRouteConfig({
  label: "menu.fees",
  translationNs: "merchantPayments",
  rank: 3,
})

export default Fees
