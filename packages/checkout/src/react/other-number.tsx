/** A number that is typed while another one's request waits: the shopper decides which is asked. */
import { useId, useState } from "react"
import type { Payment, PaymentView } from "../checkout.js"
import { problemText } from "../texts.js"
import { useKit } from "./context.js"

const digitsOf = (phone: string) => phone.replace(/\D/g, "")

/** The store has given back the payment that waits, for another number than was typed. */
export function isOtherNumber({ phase, status }: PaymentView, phone: string): boolean {
  const hint = status?.phone_hint
  const isOnPhone = phase === "sending" || phase === "approve"
  return isOnPhone && hint != null && !digitsOf(phone).endsWith(hint)
}

export function OtherNumber(props: {
  readonly payment: Payment
  readonly phone: string
  /** The request is taken back: the other number can be asked. */
  onCanceled(): void
  /** It waits on, or has been answered. */
  onKept(): void
}) {
  const { say, parts } = useKit()
  const { payment, onCanceled, onKept } = props
  const id = useId()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [old] = useState(() => payment.getView().status?.phone_hint ?? "")
  const facts = { old, new: digitsOf(props.phone).slice(-old.length) }
  const cancel = async () => {
    setBusy(true)
    const { phase, problem } = await payment.cancel()
    setBusy(false)
    if (phase === "expired" || phase === "failed") onCanceled()
    else if (phase !== "sending" && phase !== "approve") onKept()
    else setRefused(problem ? problemText(say, problem) : say("problem.not_canceled"))
  }
  return (
    <div role="alertdialog" aria-labelledby={id} data-testid="other-number-question">
      <p id={id} className={refused === null ? undefined : "mp-problem"}>
        {refused ?? say("other.ask", facts)}
      </p>
      <div className="mp-ways">
        {refused === null && (
          <parts.Button
            autoFocus
            disabled={isBusy}
            onClick={() => void cancel()}
            data-testid="ask-other-number"
          >
            {isBusy ? say("form.busy") : say("other.yes", facts)}
          </parts.Button>
        )}
        <parts.Button
          className="mp-button mp-quiet"
          disabled={isBusy}
          onClick={onKept}
          data-testid="keep-waiting"
        >
          {say("other.no")}
        </parts.Button>
      </div>
    </div>
  )
}
