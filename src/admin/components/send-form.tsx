/**
 * What the forms that send money share. One form is one payout, with one key. The key stays, even
 * if the form is closed and opened after a try that may have gone, until the store says that nothing
 * was sent under it. Each answer clears the form's secret.
 */
import { Alert, toast, usePrompt } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { useNavigate } from "react-router-dom"
import { ApiError } from "../lib/api"
import type { AdminPayout } from "../lib/responses"
import { hasEnded, isAnswered, isAskedFor, mayHaveGone, newKey } from "../lib/money-out"
import { useAct } from "../lib/queries"
import { typedAmount } from "../lib/typed-amount"
import { useWords, type Words } from "../lib/words"
import { asOptions, ChoiceField, CURRENCIES, FormDrawer, TextField } from "./fields"
import { Problem } from "./parts"

type Amount = { readonly amount: string; readonly currency: string }
type Sent = Readonly<Record<string, string>> & Amount

/** A form that was sent without an answer; kept while the page is open. */
export type Unanswered<Form> = { current?: { readonly form: Form; readonly key: string } }

/** What is wrong, by field; a field that is right has undefined. */
type Problems<Form> = { readonly [Field in keyof Form]?: string | undefined }

type Given<Form> = {
  readonly empty: Form
  readonly unanswered: Unanswered<Form>
  /** @param isTried adds what is only missing, or may become right while the admin types */
  readonly problems: (form: Form, isTried: boolean) => Problems<Form>
  readonly send: (form: Form, key: string) => Promise<AdminPayout>
  /** The form without its secret, to be kept. */
  readonly withoutSecret: (form: Form) => Form
  readonly onClose: () => void
}

export function useSending<Form extends Sent>(given: Given<Form>) {
  const { unanswered, withoutSecret, onClose } = given
  const { say, exact, problem } = useWords()
  const navigate = useNavigate()
  const [form, setForm] = useState(unanswered.current?.form ?? given.empty)
  const [key, setKey] = useState(() => unanswered.current?.key ?? newKey())
  const [isTried, setTried] = useState(false)
  // The mutation takes no variables: React Query keeps them, and the form has a secret.
  const act = useAct(
    async () => {
      try {
        const answer = await given.send(form, key)
        delete unanswered.current
        return answer
      } catch (error) {
        if (mayHaveGone(error)) unanswered.current = { form: withoutSecret(form), key }
        else delete unanswered.current
        if (hasEnded(error)) setKey(newKey())
        if (isAskedFor(error)) return null
        throw error
      } finally {
        setForm(withoutSecret)
        setTried(false)
      }
    },
    (sent) => {
      if (sent === null) {
        toast.info(say("requests.noted"))
        onClose()
        return
      }
      // A repeated key returns the earlier payout, which may have failed.
      const isOver = sent.state === "failed" || sent.state === "expired"
      const isTaken = sent.state === "in_flight" || sent.state === "completed"
      if (isOver) toast.warning(say("payouts.ended"))
      else if (isTaken) toast.success(say("payouts.sent"))
      else toast.warning(say("payouts.unclear"))
      onClose()
      void navigate(`/merchant-payments/${sent.id}`)
    },
  )
  const wrong = given.problems(form, isTried)
  const refused = refusedField(act.error)
  const of = (field: keyof Form & string) => ({
    value: form[field] ?? "",
    error: wrong[field] ?? (refused === field ? problem(act.error) : undefined),
    onChange: (value: string) => {
      if (isAnswered(act.error)) act.reset()
      setForm((before) => ({ ...before, [field]: value }))
    },
  })
  const frame = {
    amount: exact(amountOf(form), form.currency),
    error: refused !== null && refused in form ? null : act.error,
    isPending: act.isPending,
    isFilled: Object.entries(form).some(([field, value]) => value !== given.empty[field]),
    isRight: () => {
      setTried(true)
      return Object.values(given.problems(form, true)).every((one) => one === undefined)
    },
    onSend: () => act.mutate(),
    onClose,
  }
  return { form, of, frame }
}

const FIELDS: Readonly<Record<string, string>> = {
  amount_not_payable: "amount",
  money_out_above_cap: "amount",
  wallet_too_low: "amount",
  currency_not_served: "currency",
  invalid_phone: "phone",
  operator_unknown: "phone",
  wrong_passcode: "passcode",
  from_wallet_id: "from",
  to_counterparty_id: "to",
}

/** The field that a refusal is about. */
function refusedField(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  const { field } = error.details
  const named = typeof field === "string" ? field : error.code
  return FIELDS[named] ?? (typeof field === "string" ? field : null)
}

/** What is wrong with an amount, as a sentence; undefined where nothing is, or not yet. */
export function amountProblem(
  say: Words["say"],
  { amount, currency }: Amount,
  isTried: boolean,
): string | undefined {
  const typed = typedAmount(amount, currency)
  switch (typed.kind) {
    case "amount":
      return undefined
    case "empty":
      return isTried ? say("payouts.needed") : undefined
    case "unfinished":
      return isTried ? say("payouts.notAmount") : undefined
    case "not_above_zero":
      return /[1-9]/.test(amount) || isTried ? say("payouts.notAboveZero") : undefined
    case "not_amount":
      return say("payouts.notAmount")
    case "unclear":
      return say("payouts.unclearAmount", { typed: amount.trim() })
    case "decimals":
      return say("payouts.decimals", { currency, digits: typed.digits })
  }
}

/** The amount as it is sent: plain decimal text; "" if what was typed is not right. */
export function amountOf({ amount, currency }: Amount): string {
  const typed = typedAmount(amount, currency)
  return typed.kind === "amount" ? typed.text : ""
}

type FieldOf<Name extends string> = (field: Name) => {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

/** An amount and its currency. The hint below shows the amount as it will be sent. */
export function AmountFields({ of }: { readonly of: FieldOf<"amount" | "currency"> }) {
  const { say, exact } = useWords()
  const currency = of("currency").value
  const read = amountOf({ amount: of("amount").value, currency })
  return (
    <div className="grid grid-cols-2 gap-4">
      <TextField
        {...of("amount")}
        label={say("payouts.amount")}
        hint={read === "" ? undefined : exact(read, currency)}
        isRequired
      />
      <ChoiceField
        {...of("currency")}
        label={say("payouts.currency")}
        options={asOptions(CURRENCIES)}
      />
    </div>
  )
}

/** The frame of a form: asks for confirmation once every field is right, then sends. */
export function SendForm(props: {
  readonly title: string
  /** What the admin confirms, besides the amount. */
  readonly confirm: string
  readonly frame: ReturnType<typeof useSending>["frame"]
  readonly children: ReactNode
}) {
  const { frame } = props
  const { say } = useWords()
  const prompt = usePrompt()
  const submit = async () => {
    if (!frame.isRight()) return
    const isSure = await prompt({
      title: say("payouts.confirmTitle", { amount: frame.amount }),
      description: props.confirm,
      confirmText: say("payouts.sendNow"),
      cancelText: say("general.cancel"),
      variant: "confirmation",
    })
    if (isSure) frame.onSend()
  }
  return (
    <FormDrawer
      title={props.title}
      submit={say("payouts.send")}
      isPending={frame.isPending}
      isFilled={frame.isFilled}
      onSubmit={() => void submit()}
      onClose={frame.onClose}
      above={
        <>
          <Problem error={frame.error} />
          {frame.error && mayHaveGone(frame.error) && (
            <Alert variant="warning">{say("payouts.keyKept")}</Alert>
          )}
        </>
      }
    >
      {props.children}
    </FormDrawer>
  )
}
