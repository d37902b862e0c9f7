/** What a payment would cost; the button asks the gateway. */
import { useState, type FormEvent } from "react"
import type { FeePredictionResponse, FeesResponse } from "../../lib/responses"
import { methodName, usePrediction } from "../../lib/money-out"
import { useWords } from "../../lib/words"
import { asOptions, ChoiceField, CURRENCIES, TextField } from "../fields"
import { Button, Hint, Problem, Rows, Section } from "../parts"

type Bearer = "" | "PAYER" | "PAYEE"

export function FeeCalculator({ fees }: { readonly fees: FeesResponse }) {
  const { say } = useWords()
  const prediction = usePrediction()
  const [amount, setAmount] = useState("100")
  const [currency, setCurrency] = useState("LRD")
  const [method, setMethod] = useState(fees.gateway[0]?.payment_method ?? "")
  const [payerCurrency, setPayerCurrency] = useState("")
  const [bearer, setBearer] = useState<Bearer>("")
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isRight = Number(amount) > 0
    setWrong(!isRight)
    if (!isRight) return
    prediction.mutate({
      amount: amount.trim(),
      currency,
      payment_method: method,
      payer_currency: payerCurrency || undefined,
      bearer: bearer || undefined,
    })
  }
  return (
    <Section title={say("fees.calculator")}>
      <form className="flex flex-col gap-y-4 px-6 py-4" onSubmit={submit} noValidate>
        <Hint>{say("fees.calculatorText")}</Hint>
        <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
          <TextField
            label={say("fees.amount")}
            error={isWrong ? say("fees.typeAmount") : undefined}
            value={amount}
            onChange={setAmount}
          />
          <ChoiceField
            label={say("fees.currency")}
            value={currency}
            onChange={setCurrency}
            options={asOptions(CURRENCIES)}
          />
          <ChoiceField
            label={say("fees.method")}
            value={method}
            onChange={setMethod}
            options={fees.gateway.map((method) => ({
              value: method.payment_method,
              label: [methodName(say, method), method.country && `(${method.country})`]
                .filter(Boolean)
                .join(" "),
            }))}
          />
          <ChoiceField
            label={say("fees.payerCurrency")}
            value={payerCurrency}
            onChange={setPayerCurrency}
            options={[
              { value: "", label: say("fees.samePayerCurrency") },
              ...asOptions(CURRENCIES),
            ]}
          />
          <ChoiceField
            label={say("fees.bearer")}
            value={bearer}
            onChange={setBearer}
            options={[
              { value: "", label: say("fees.asAccount") },
              { value: "PAYER", label: say("account.PAYER") },
              { value: "PAYEE", label: say("account.PAYEE") },
            ]}
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
