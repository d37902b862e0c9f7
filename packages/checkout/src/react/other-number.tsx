/** A number that is typed while another one's request waits: the shopper decides which is asked. */
import { useId, useState } from "react"
import type { Checkout } from "../checkout.js"
import { digitsOf } from "../digits.js"
import type { Payment, PaymentView } from "../payment.js"
import type { Status } from "../status.js"
import { problemText } from "../texts.js"
import { useKit } from "./context.js"

const isOther = ({ phone_hint: hint }: Status, phone: string): boolean =>
  hint !== null && !digitsOf(phone).endsWith(hint)

/**
 * The store has given back the payment that waits, for another number than was typed. It is asked
 * once more, because that request may have been answered by now.
 */
export async function isOtherWaiting(
  { store }: Checkout,
  { sessionId, status }: PaymentView,
  phone: string,
): Promise<boolean> {
  if (status?.state !== "waiting_for_payer" || !isOther(status, phone)) return false
  const now = await store.status(sessionId).catch(() => null)
  return now?.state === "waiting_for_payer" && now.flow === "push" && isOther(now, phone)
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
