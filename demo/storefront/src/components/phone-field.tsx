/**
 * The number that is asked to pay. While it is typed the store is asked whose number it is, so that
 * a slip shows before anything is sent. That question may go unanswered; paying does not wait for
 * it.
 */
import { useEffect, useState } from "react"
import { PaymentRefused } from "../api/payments"
import { currencySymbol } from "../money"
import { useShop } from "../shop"
import { Field } from "./field"

/** Pause in typing before the number is looked up. */
const LOOK_UP_AFTER_MS = 600
/** Shorter is nobody's number yet. */
const LOOK_UP_DIGITS_MIN = 8

type PhoneFieldProps = {
  value: string
  change(value: string): void
  countryCode: string | null
  /** What the store said about this number when paying was refused. */
  problem: string | null
}

export function PhoneField({ value, change, countryCode, problem }: PhoneFieldProps) {
  const operator = useOperator(value, countryCode)
  return (
    <Field
      label="Mobile money number"
      name="payer_phone"
      type="tel"
      autoComplete="tel"
      value={value}
      onChange={(event) => change(event.target.value)}
      hint={operator.hint ?? "The phone that will be asked to approve."}
      problem={problem ?? operator.problem}
      required
    />
  )
}

type Finding = { hint: string | null; problem: string | null }

const NOTHING: Finding = { hint: null, problem: null }

function useOperator(phone: string, countryCode: string | null): Finding {
  const { payments } = useShop()
  const [finding, setLook] = useState<Finding>(NOTHING)

  useEffect(() => {
    setLook(NOTHING)
    if (phone.replace(/\D/g, "").length < LOOK_UP_DIGITS_MIN) return
    let dropped = false
    const timer = window.setTimeout(() => {
      payments.operator(phone, countryCode).then(
        ({ carrier, currencies }) => {
          const takes = currencies.map(currencySymbol).join(" and ")
          const hint = takes === "" ? carrier : `${carrier}, pays in ${takes}`
          if (!dropped) setLook({ hint, problem: null })
        },
        (error: unknown) => {
          const isAnswer = error instanceof PaymentRefused
          const codes = ["invalid_phone", "operator_unknown"]
          if (dropped || !isAnswer || !codes.includes(error.code)) return
          setLook({ hint: null, problem: error.message })
        },
      )
    }, LOOK_UP_AFTER_MS)
    return () => {
      dropped = true
      window.clearTimeout(timer)
    }
  }, [payments, phone, countryCode])

  return finding
}
