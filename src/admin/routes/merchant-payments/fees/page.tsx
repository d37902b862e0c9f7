/** What payments cost: the calculator, then the gateway's plans and rates. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Badge, Container, Heading, Table } from "@medusajs/ui"
import { FeeCalculator } from "../../../components/accounts/fee-calculator"
import { Hint, Problem, Section, Waiting } from "../../../components/parts"
import type { FeesResponse, RateResponse } from "../../../lib/responses"
import { useFees } from "../../../lib/money-out"
import { methodName } from "../../../lib/method-name"
import { useWords } from "../../../lib/words"

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
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting rows={8} />}
      {data && <FeeCalculator fees={data} />}
      {data && <Tiers fees={data} />}
      {data && <GatewayRates fees={data} />}
    </div>
  )
}

type Of = { readonly fees: FeesResponse }

function Tiers({ fees }: Of) {
  const { say } = useWords()
  return (
    <Section title={say("fees.tiers")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{say("fees.tier")}</Table.HeaderCell>
            <RateHeads />
            <Table.HeaderCell>{say("fees.fx")}</Table.HeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {fees.tiers.flatMap((tier) =>
            tier.rates.map((rate, index) => (
              <Table.Row key={`${tier.id} ${rate.operation_type}`}>
                <Table.Cell>
                  {index === 0 && tier.name}{" "}
                  {index === 0 && tier.is_default && (
                    <Badge size="2xsmall">{say("fees.usual")}</Badge>
                  )}
                </Table.Cell>
                <RateCells rate={rate} />
                <Table.Cell>{rate.fx_percentage} %</Table.Cell>
              </Table.Row>
            )),
          )}
        </Table.Body>
      </Table>
      {fees.tiers.length === 0 && <None />}
    </Section>
  )
}

function GatewayRates({ fees }: Of) {
  const { say } = useWords()
  return (
    <Section title={say("fees.gateway")}>
      <Table>
        <Table.Header>
          <Table.Row>
            <Table.HeaderCell>{say("fees.method")}</Table.HeaderCell>
            <RateHeads />
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {fees.gateway.flatMap((method) =>
            method.rates.map((rate, index) => (
              <Table.Row key={`${method.payment_method} ${rate.operation_type} ${index}`}>
                <Table.Cell>
                  {index === 0 &&
                    [methodName(say, method), method.country].filter(Boolean).join(" · ")}
                </Table.Cell>
                <RateCells rate={rate} />
              </Table.Row>
            )),
          )}
        </Table.Body>
      </Table>
      {fees.gateway.length === 0 && <None />}
    </Section>
  )
}

function RateHeads() {
  const { say } = useWords()
  return (
    <>
      <Table.HeaderCell>{say("fees.what")}</Table.HeaderCell>
      <Table.HeaderCell>{say("fees.percentage")}</Table.HeaderCell>
      <Table.HeaderCell>{say("fees.fixed")}</Table.HeaderCell>
    </>
  )
}

/** The gateway's numbers as it wrote them: exact text, never a float. */
function RateCells({ rate }: { readonly rate: RateResponse }) {
  const { say } = useWords()
  const type = rate.operation_type
  const isKnown = type === "COLLECTION" || type === "REFUND" || type === "PAYOUT"
  return (
    <>
      <Table.Cell>{isKnown ? say(`type.${type}`) : type}</Table.Cell>
      <Table.Cell>{rate.percentage} %</Table.Cell>
      <Table.Cell>
        {rate.fixed_fee === null ? "–" : `${rate.fixed_fee_currency ?? ""} ${rate.fixed_fee}`}
      </Table.Cell>
    </>
  )
}

function None() {
  const { say } = useWords()
  return (
    <div className="px-6 py-4">
      <Hint>{say("fees.none")}</Hint>
    </div>
  )
}

export const config = defineRouteConfig({
  label: "menu.fees",
  translationNs: "merchantPayments",
  rank: 3,
})

export default Fees
