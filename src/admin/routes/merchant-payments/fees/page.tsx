/** What payments cost: the calculator, then the gateway's plans and rates. */
import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Badge, Container, Heading } from "@medusajs/ui"
import { useState, type FormEvent } from "react"
import { fitted } from "../../../components/fitted"
import type { FeePredictionResponse, FeesResponse, RateResponse } from "../../../lib/responses"
import { percentText } from "../../../lib/amount-text"
import { methodName, useFees, usePrediction } from "../../../lib/money-out"
import { useWords, type Say, type Words } from "../../../lib/words"
import { Button, Cells, Hint, Problem, Rows, Section, Waiting } from "../../../components/parts"
import { CURRENCIES, ChoiceField, TextField, asOptions } from "../../../components/fields"

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

type Bearer = "" | "PAYER" | "PAYEE"

/** What a payment would cost; the button asks the gateway. */
function FeeCalculator({ fees }: { readonly fees: FeesResponse }) {
  const { say } = useWords()
  const prediction = usePrediction()
  const [form, setForm] = useState({
    amount: "100",
    currency: "LRD",
    method: fees.gateway[0]?.payment_method ?? "",
    payerCurrency: "",
    bearer: "" as Bearer,
  })
  const [isWrong, setWrong] = useState(false)
  const of = <Name extends keyof typeof form>(name: Name) => ({
    label: say(`fees.${name}`),
    value: form[name],
    onChange: (value: (typeof form)[Name]) => setForm((before) => ({ ...before, [name]: value })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isRight = Number(form.amount) > 0
    setWrong(!isRight)
    if (!isRight) return
    prediction.mutate({
      amount: form.amount.trim(),
      currency: form.currency,
      payment_method: form.method,
      payer_currency: form.payerCurrency || undefined,
      bearer: form.bearer || undefined,
    })
  }
  return (
    <Section title={say("fees.calculator")}>
      <form className="flex flex-col gap-y-4 px-6 py-4" onSubmit={submit} noValidate>
        <Hint>{say("fees.calculatorText")}</Hint>
        <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
          <TextField {...of("amount")} error={isWrong ? say("fees.typeAmount") : undefined} />
          <ChoiceField {...of("currency")} options={asOptions(CURRENCIES)} />
          <ChoiceField
            {...of("method")}
            options={fees.gateway.map((method) => ({
              value: method.payment_method,
              label: [methodName(say, method), method.country && `(${method.country})`]
                .filter(Boolean)
                .join(" "),
            }))}
          />
          <ChoiceField
            {...of("payerCurrency")}
            options={asOptions(
              ["", ...CURRENCIES],
              (code) => code || say("fees.samePayerCurrency"),
            )}
          />
          <ChoiceField
            {...of("bearer")}
            options={asOptions(["", "PAYER", "PAYEE"], (who) =>
              say(who ? `account.fee_bearer_${who}` : "fees.asAccount"),
            )}
          />
        </div>
        <Problem error={prediction.error} />
        <div>
          <Button variant="primary" type="submit" isLoading={prediction.isPending}>
            {say("fees.calculate")}
          </Button>
        </div>
      </form>
      {prediction.data && <Answer answer={prediction.data} />}
    </Section>
  )
}

function Answer({ answer: { quote } }: { readonly answer: FeePredictionResponse }) {
  const { money, number } = useWords()
  return (
    <div data-testid="prediction">
      <Rows
        rows={[
          ["fees.payerPays", money(quote.payer_amount, quote.payer_currency)],
          ["fees.youGet", money(quote.payee_amount, quote.payee_currency)],
          ["fees.platformFee", money(quote.platform_fee, quote.payee_currency)],
          ["fees.gatewayFee", money(quote.gateway_fee, quote.payee_currency)],
          ["fees.fxFee", quote.fx_fee !== null && number(quote.fx_fee)],
        ]}
      />
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
  rank: 5,
})

export default fitted(Fees)
