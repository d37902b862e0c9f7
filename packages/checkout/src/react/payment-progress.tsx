/** A payment under way, or ended: what is so, and what the shopper can do. */
import { useEffect, useRef, useState, type ReactNode } from "react"
import type { PaymentView, Phase } from "../payment.js"
import type { Status } from "../status.js"
import type { Operator } from "../store.js"
import { phoneText, problemText, reasonText } from "../texts.js"
import type { PartKey } from "../texts/en-parts.js"
import { Contact } from "./contact.js"
import { whyCharged } from "./charged.js"
import { useKit, type Kit } from "./context.js"
import { minutesAndSeconds, useTimeLeft } from "./hooks.js"

/** From here on the shopper is told that waiting is usual. */
const LONG_AFTER_MS = 30_000

/** What the shopper wants once the payment is taken back. */
export type Wish = "cancel" | "other_number" | "other_way"

export type PaymentProgressProps = {
  readonly view: PaymentView
  /** The shopper came back from the payment page by its way out. */
  readonly isBackFromPage?: boolean
  /** Whose wallet is asked: what to dial there, if no request shows. */
  readonly operator?: Operator | null
  /** Offered where cancelling is worth a button; the gateway decides. */
  onCancel?(wish: Wish): void
  /** Starts the bank's step of a card payment. */
  onConfirm?(): void
  readonly children?: ReactNode
}

const WITH_TIME: readonly Phase[] = ["approve", "page", "authenticate"]

/** A phase, or what a phase looks like once its time is over. */
type Screen = Phase | "over"

export function PaymentProgress(props: PaymentProgressProps) {
  const { view, isBackFromPage = false, operator, onCancel, onConfirm, children } = props
  const kit = useKit()
  const { say } = kit
  const { phase, status } = view
  const leftMs = useTimeLeft(WITH_TIME.includes(phase) ? view.endsAt : null)
  const screen = screenOf(view)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(screen)
  // A keyboard or a screen reader that was in the old content goes on in the new.
  useEffect(() => {
    if (shown.current !== screen) heading.current?.focus()
    shown.current = screen
  }, [screen])
  const isLeft = screen === "page" && isBackFromPage
  const isLong = useElapsed(LONG_AFTER_MS, isOpen(screen, status))
  const isStuck = isLong || screen === "over" || screen === "under_review"
  const charged = status && chargedText(status, kit.money)
  const asked = status && askedBeside(status, kit)
  return (
    <section
      className="mp-progress"
      aria-busy={phase === "loading"}
      data-testid={`mp-${screen}`}
      data-phase={phase}
    >
      <h2 ref={heading} tabIndex={-1}>
        {say(isLeft ? "page.left.title" : `${screen}.title`)}
      </h2>
      {charged && (
        <p className="mp-amount" data-testid="amount">
          {charged}
        </p>
      )}
      {asked && (
        <p className="mp-hint" data-testid="asked">
          {asked}
        </p>
      )}
      <div role="status" aria-live="polite">
        <Said screen={screen} view={view} isLeft={isLeft} isLong={isLong} operator={operator} />
        {isStuck && <p className="mp-hint">{say("wait.news")}</p>}
        {view.isOffline && <p className="mp-hint">{say("offline")}</p>}
      </div>
      {leftMs !== null && leftMs > 0 && screen === phase && (
        <p className="mp-hint" data-testid="time-left">
          {say("time.left", { time: minutesAndSeconds(leftMs) })}
        </p>
      )}
      {view.problem && (
        <p className="mp-problem" role="alert">
          {problemText(say, view.problem)}
        </p>
      )}
      {isStuck && <Contact />}
      {screen === "page" && status?.url != null && (
        <HostedButton url={status.url} isQuiet={!isLeft} />
      )}
      {screen === "authenticate" && onConfirm && (
        <ConfirmButton isRunning={view.confirmation === "running"} onConfirm={onConfirm} />
      )}
      {onCancel && <WaysOut view={view} screen={screen} onCancel={onCancel} />}
      {children}
    </section>
  )
}

/** Something comes yet that the shopper can only wait for, or has to do elsewhere. */
function isOpen(screen: Screen, status: Status | null): boolean {
  if (screen === "failed" || screen === "expired") return status?.can_retry === false
  return status !== null && screen !== "ready" && screen !== "paid" && screen !== "gone"
}

function screenOf({ phase, status, confirmation }: PaymentView): Screen {
  const isWaiting = phase === "approve" || phase === "authenticate" || phase === "checking"
  // It seems to fail, and that is being made sure of: there is nothing to approve.
  if (isWaiting && status?.reason != null) return "checking"
  // The store's word: no clock of the device can say it.
  if (WITH_TIME.includes(phase) && status?.expires_in_seconds === 0) return "over"
  // A second confirmation of the same card would only be refused.
  return phase === "authenticate" && confirmation === "passed" ? "checking" : phase
}

/** As the phone asks for it, once that is known. */
function chargedText(status: Status, money: Kit["money"]): string | null {
  const { payer_amount, payer_currency } = status
  if (payer_amount !== null && payer_currency !== null) return money(payer_amount, payer_currency)
  return askedText(status, money)
}

/** Where another amount is charged than the shopper pressed for: why, and what the order asks for. */
function askedBeside(status: Status, kit: Kit): string | null {
  const { payer_amount, payer_currency, amount, currency } = status
  const asked = askedText(status, kit.money)
  if (asked === null || asked === chargedText(status, kit.money)) return null
  if (payer_amount === null || payer_currency === null) return null
  if (amount === null || currency === null) return null
  // What the shop still looks at, has sent back or has accepted beyond the total is no fee.
  const { state, returned_amount: returned, beyond_amount: beyond } = status
  const isOther = state === "under_review" || returned !== null || beyond !== null
  const charged = { amount: payer_amount, currency: payer_currency }
  const why = isOther ? "" : whyCharged(kit, charged, { amount, currency })
  const more = beyond === null ? "" : kit.say("paid.more", { amount: kit.money(beyond, currency) })
  return [why, kit.say("charged.asked", { amount: asked }), more].filter(Boolean).join(" ")
}

/** What cart or order asked for. */
export function askedText({ amount, currency }: Status, money: Kit["money"]): string | null {
  return amount !== null && currency !== null ? money(amount, currency) : null
}

function Said(props: {
  readonly screen: Screen
  readonly view: PaymentView
  readonly isLeft: boolean
  readonly isLong: boolean
  readonly operator: Operator | null | undefined
}) {
  const { say } = useKit()
  const { screen, isLeft, isLong, operator } = props
  const { status, confirmation } = props.view
  if (screen === "loading" || screen === "gone") return <p>{say(`${screen}.text`)}</p>
  if (status === null) return null
  if (screen === "failed" || screen === "expired") return <Ended status={status} />
  return (
    <>
      {sentencesOf(say, screen, status, { isLong, isLeft, operator, confirmation }).map(
        (sentence) => (
          <p key={sentence}>{sentence}</p>
        ),
      )}
      {screen === "paid" && <Returned status={status} />}
      {screen === "under_review" && (
        <p data-testid="reference">
          {say("under_review.reference", { reference: status.reference ?? status.id })}
        </p>
      )}
    </>
  )
}

/** What was given back since: the payment stays paid. */
function Returned({ status: { returned_amount: amount, currency } }: { readonly status: Status }) {
  const { say, money } = useKit()
  if (amount === null || currency === null) return null
  return <p data-testid="returned">{say("paid.returned", { amount: money(amount, currency) })}</p>
}

function Ended({ status }: { readonly status: Status }) {
  const { say } = useKit()
  const isPush = status.flow === "push"
  const isShown = isPush && status.reason === "canceled"
  const later = isPush && status.state !== "expired" ? "failed.late" : "expired.text"
  const isOperators = status.reason === "operator_unavailable" && status.can_retry
  return (
    <p>
      <strong data-testid="reason">{reasonText(say, status)}</strong>{" "}
      {say(isShown ? "canceled.shown" : later)}
      {isOperators && ` ${say("operator.try")}`}
    </p>
  )
}

const PAYABLE: readonly Screen[] = [
  "sending",
  "approve",
  "over",
  "page",
  "authenticate",
  "checking",
]

type Moment = Pick<PaymentView, "confirmation"> & {
  readonly isLong: boolean
  readonly isLeft: boolean
  readonly operator: Operator | null | undefined
}

function sentencesOf(
  say: Kit["say"],
  screen: Screen,
  status: Status,
  { isLong, isLeft, operator, confirmation }: Moment,
): string[] {
  // The store hands out no amount of what is not asked for any more.
  if (status.amount === null && PAYABLE.includes(screen)) return [say("outdated.text")]
  switch (screen) {
    case "sending":
      return [say("sending.text", { phone: phoneText(say, status) })]
    case "approve":
      return [
        say("approve.text", { phone: phoneText(say, status) }),
        ...menuOf(say, operator),
        ...(isLong ? [say("approve.long")] : []),
        ...(isLong && status.can_cancel ? [say("wait.ways")] : []),
        say("approve.close"),
      ]
    case "over":
      return [say(status.can_cancel ? "over.cancel" : "over.wait")]
    case "page":
      return [say(isLeft ? "page.left.text" : "page.text")]
    case "authenticate":
      if (confirmation === "running") return [say("authenticate.running")]
      return [say(confirmation === "left" ? "authenticate.left" : "authenticate.text")]
    case "checking":
      return [...(status.reason === null ? [] : [reasonText(say, status)]), say("checking.text")]
    case "received":
    case "paid":
    case "under_review":
      return [say(`${screen}.text`)]
    default:
      return []
  }
}

function menuOf(say: Kit["say"], operator: Moment["operator"]): string[] {
  if (!operator?.menu_code) return []
  return [say("approve.menu", { menu: operator.menu_code, operator: operator.label })]
}

const WAYS: readonly { readonly wish: Wish; readonly text: PartKey; readonly testId: string }[] = [
  { wish: "other_number", text: "act.another_number", testId: "other-number" },
  { wish: "other_way", text: "act.another_way", testId: "pay-another-way" },
  { wish: "cancel", text: "act.cancel", testId: "mp-cancel" },
]

/** Each takes the payment back first; where that fails it goes on. */
function WaysOut(props: {
  readonly view: PaymentView
  readonly screen: Screen
  onCancel(wish: Wish): void
}) {
  const { say, parts } = useKit()
  const { view, screen, onCancel } = props
  const { status, busy, confirmation } = view
  const isPush = status?.flow === "push"
  const isOnPhone = isPush && (screen === "sending" || screen === "approve" || screen === "over")
  const isConfirming = screen === "authenticate" && confirmation === "running"
  if (status === null || isConfirming) return null
  if (!status.can_cancel) {
    return isOnPhone ? <p className="mp-hint">{say("act.decline_there")}</p> : null
  }
  return (
    <div className="mp-ways" role="group" aria-label={say("act.cancel")}>
      {WAYS.filter(({ wish }) => isPush || wish !== "other_number").map((way) => (
        <parts.Button
          key={way.wish}
          className="mp-button mp-quiet"
          disabled={busy !== null}
          onClick={() => onCancel(way.wish)}
          data-testid={way.testId}
        >
          {busy === "canceling" ? say("form.busy") : say(way.text)}
        </parts.Button>
      ))}
    </div>
  )
}

function ConfirmButton(props: { readonly isRunning: boolean; onConfirm(): void }) {
  const { say, parts } = useKit()
  return (
    <parts.Button
      className="mp-button"
      disabled={props.isRunning}
      onClick={props.onConfirm}
      data-testid="mp-confirm"
    >
      {say(props.isRunning ? "form.busy" : "authenticate.title")}
    </parts.Button>
  )
}

/** The way to the payment page; quiet where the shopper may have paid there already. */
export function HostedButton({ url, isQuiet = false }: { url: string; isQuiet?: boolean }) {
  const { say } = useKit()
  return (
    <a
      className={isQuiet ? "mp-button mp-quiet" : "mp-button"}
      href={url}
      data-testid="to-payment-page"
    >
      {say("page.go")}
    </a>
  )
}

function useElapsed(afterMs: number, isCounting: boolean): boolean {
  const [isElapsed, setElapsed] = useState(false)
  useEffect(() => {
    setElapsed(false)
    if (!isCounting) return
    const timer = setTimeout(() => setElapsed(true), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs, isCounting])
  return isElapsed
}
