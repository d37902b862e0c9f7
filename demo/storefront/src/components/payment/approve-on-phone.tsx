/**
 * A prompt is on its way to the shopper's phone, or there: then this says what to do with it, and
 * what happens when this is closed.
 */
import { useEffect, useState } from "react"
import type { PaymentStatus } from "../../api/payment-status"
import { formatMoney } from "../../money"
import { useShop } from "../../shop"
import { endedBecause } from "../../words"
import { Notice } from "../notice"
import { Page } from "../page"

/** From here on the shopper is told that waiting is normal. */
const LONG_AFTER_MS = 30_000

export function ApproveOnPhone({ status }: { status: PaymentStatus }) {
  const { config } = useShop()
  const isLong = useElapsed(LONG_AFTER_MS)
  if (status.prompt === "sending") return <Sending status={status} />
  return (
    <Page title="Approve on your phone" className="narrow">
      <div className="panel centred" data-testid="approve-on-phone">
        <PhonePicture />
        <Amount status={status} />
        {status.reason !== null && (
          <Notice tone="information">{endedBecause(status)} We are making sure of it.</Notice>
        )}
        <p>A request went to {phoneOf(status)}. Enter your PIN there.</p>
        <div role="status" className="muted">
          {isLong
            ? "Operators sometimes take a few minutes. There is no need to pay again."
            : "This usually takes less than a minute."}
        </div>
        <div className="progress" aria-hidden="true" />
      </div>
      <p className="muted">
        You may close this page. Once you have approved, your order is made all the same.
        {status.expiresAt && ` The request is open until ${clockTime(status.expiresAt)}.`}
      </p>
      {config.simulatorUrl && (
        <p className="demo-hint">
          This is a demo: no phone will ring.{" "}
          <a
            href={`${config.simulatorUrl}/handset`}
            target="_blank"
            rel="noreferrer"
            data-testid="handset-link"
          >
            Open the pretend phone
          </a>
        </p>
      )}
    </Page>
  )
}

/** Nothing is known to be on the phone yet, so nobody is told to look for it there. */
function Sending({ status }: { status: PaymentStatus }) {
  return (
    <Page title="Sending the request" className="narrow">
      <div className="panel centred" data-testid="sending-request">
        <Amount status={status} />
        <p role="status">
          We are sending a request to {phoneOf(status)}. If that is not possible within a minute or
          two, we tell you here and you can try again.
        </p>
        <div className="progress" aria-hidden="true" />
      </div>
      <p className="muted">There is no need to pay again meanwhile.</p>
    </Page>
  )
}

function Amount({ status: { amount, currency } }: { status: PaymentStatus }) {
  if (amount === null || currency === null) return null
  return (
    <p className="amount" data-testid="amount">
      {formatMoney(amount, currency)}
    </p>
  )
}

/** As in "the phone ending in 456 (Operator 1)". */
function phoneOf({ phoneHint, operatorName }: PaymentStatus): string {
  const phone = phoneHint ? `the phone ending in ${phoneHint}` : "your phone"
  return operatorName ? `${phone} (${operatorName})` : phone
}

function useElapsed(afterMs: number): boolean {
  const [isElapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setElapsed(true), afterMs)
    return () => window.clearTimeout(timer)
  }, [afterMs])
  return isElapsed
}

/** The shopper's own clock, such as 14:05. */
function clockTime(iso: string): string {
  return new Date(iso).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
}

function PhonePicture() {
  return (
    <svg className="phone-picture" viewBox="0 0 96 96" aria-hidden="true">
      <circle cx="48" cy="48" r="46" className="phone-back" />
      <rect x="32" y="18" width="32" height="60" rx="6" className="phone-body" />
      <rect x="36" y="25" width="24" height="42" rx="2" className="phone-screen" />
      <path d="M41 46l5 5 9-10" className="phone-tick" />
      <circle cx="48" cy="72.5" r="2" className="phone-dot" />
    </svg>
  )
}
