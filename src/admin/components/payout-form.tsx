/** Sends money to a mobile wallet. The merchant's passcode is typed once for a sitting. */
import { useState } from "react"
import { NO_PAYOUT, sendPayout, type PayoutForm as Form } from "../lib/money-out"
import { forgetPasscode, keepPasscode, keptPasscode } from "../lib/passcode"
import { PASSCODE_KEPT_MS } from "../lib/pauses"
import { countriesText, typedPhone } from "../lib/typed-phone"
import { useWords } from "../lib/words"
import { TextField } from "./fields"
import { Button, Hint } from "./parts"
import {
  AmountFields,
  amountOf,
  amountProblem,
  SendForm,
  useSending,
  type Unanswered,
} from "./send-form"

const unanswered: Unanswered<Form> = {}
const KEPT = { minutes: PASSCODE_KEPT_MS / 60_000 }
/** With fewer digits, the admin is still typing the phone number. */
const PHONE_DIGITS_MIN = 9

export default function PayoutForm({ onClose }: { readonly onClose: () => void }) {
  const { say, field, language } = useWords()
  // Read for each display, because the passcode may be forgotten while the form is open.
  const isKept = keptPasscode() !== undefined
  const [, displayAgain] = useState({})
  const forget = () => {
    forgetPasscode()
    displayAgain({})
  }
  const { form, of, frame } = useSending<Form>({
    empty: NO_PAYOUT,
    unanswered,
    problems: (typed, isTried) => {
      const needed = (value: string) =>
        isTried && value.trim() === "" ? say("payouts.needed") : undefined
      const phone = (value: string) => {
        const isWhole = isTried || value.replace(/\D/g, "").length >= PHONE_DIGITS_MIN
        const isRight = value.trim() === "" || typedPhone(value, typed.currency)
        return isWhole && !isRight
          ? say("payouts.notPhone", { countries: countriesText(language) })
          : undefined
      }
      return {
        amount: amountProblem(say, typed, isTried),
        name: needed(typed.name),
        phone: needed(typed.phone) ?? phone(typed.phone),
        passcode: keptPasscode() ? undefined : needed(typed.passcode),
        passcode_phone: phone(typed.passcode_phone),
      }
    },
    send: async (typed, key) => {
      const whole = { ...typed, ...keptPasscode() }
      const { payout } = await sendPayout(readOf(whole), key).catch((error: unknown) => {
        forget()
        throw error
      })
      if (payout.state === "in_flight" || payout.state === "completed") keepPasscode(whole)
      else forget()
      return payout
    },
    withoutSecret: (before) => ({ ...before, passcode: "" }),
    onClose,
  })
  const phone = typedPhone(form.phone, form.currency)
  const country = new Intl.DisplayNames(language, { type: "region" })
  const read =
    phone && say("payouts.phoneRead", { ...phone, country: country.of(phone.country) ?? "" })
  return (
    <SendForm
      title={say("payouts.sendTitle")}
      confirm={say("payouts.confirmText", { name: form.name.trim(), phone: read ?? "" })}
      frame={frame}
    >
      <Hint>{say("payouts.balance")}</Hint>
      <AmountFields of={of} />
      <TextField {...of("name")} {...field("payouts.name")} isRequired />
      <TextField
        {...of("phone")}
        {...field("payouts.phone")}
        {...(read && { hint: read })}
        type="tel"
        isRequired
      />
      <TextField {...of("note")} {...field("payouts.note")} />
      {isKept ? (
        <div className="flex flex-col items-start gap-y-2">
          <Hint>{say("payouts.passcodeKept", KEPT)}</Hint>
          <Button type="button" onClick={forget}>
            {say("payouts.passcodeOther")}
          </Button>
        </div>
      ) : (
        <>
          <TextField
            {...of("passcode")}
            {...field("payouts.passcode", KEPT)}
            type="password"
            isRequired
          />
          <TextField {...of("passcode_phone")} {...field("payouts.passcodePhone")} type="tel" />
        </>
      )}
    </SendForm>
  )
}

/** The form as the store takes it: plain amount, international numbers. */
function readOf(form: Form): Form {
  const number = (text: string) => typedPhone(text, form.currency)?.international ?? ""
  return {
    ...form,
    amount: amountOf(form),
    phone: number(form.phone),
    passcode_phone: number(form.passcode_phone).slice(1),
  }
}
