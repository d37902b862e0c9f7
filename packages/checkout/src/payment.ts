/** One payment session as a page shows it: a small state machine over the store's routes. */
import type { CardAdapter } from "./card.js"
import { follow, type Surroundings, type Told } from "./follow.js"
import { inTurn, startedOf } from "./start.js"
import { isUnderWay, type Status } from "./status.js"
import { NoAnswer, Refused, type StartRequest, type Store } from "./store.js"

/** What a page shows. */
export type Phase =
  | "loading"
  /** Nothing has started. */
  | "ready"
  /** The request is on its way to the phone. Nothing is known to be there yet. */
  | "sending"
  /** The shopper approves on the phone. */
  | "approve"
  /** The shopper pays on the payment page, or has come back from it. */
  | "page"
  /** The shopper confirms a card payment with the bank. */
  | "authenticate"
  /** A card payment is with the gateway; there is nothing for the shopper to do. */
  | "checking"
  /** The money is there, the order is being made. */
  | "received"
  | "paid"
  | "failed"
  | "expired"
  | "under_review"
  /** The store does not know the session. */
  | "gone"

export type PaymentView = {
  readonly sessionId: string
  readonly phase: Phase
  readonly status: Status | null
  readonly busy: "starting" | "canceling" | null
  /** Why the last start or cancel did not happen. */
  readonly problem: Refused | NoAnswer | null
  /** The last question had no answer; the payment goes on. */
  readonly isOffline: boolean
  /** The bank's step in this browser. No value of it says that money moved, or did not. */
  readonly confirmation: "running" | "passed" | "left" | null
  /** The shop is busy: the start waits, keeps its place, and goes out by itself after this. */
  readonly turnInSeconds?: number | null
  /**
   * When its time is over, by `checkout.around.now()`; null: it has none. Only a `status` with
   * `expires_in_seconds: 0` says that it is over.
   */
  readonly endsAt: number | null
}

export type Payment = {
  getView(): PaymentView
  /** While there is a listener, the payment is followed. @returns what ends that */
  subscribe(listener: () => void): () => void
  start(request?: StartRequest, onTurn?: (inSeconds: number | null) => void): Promise<PaymentView>
  cancel(): Promise<PaymentView>
  /** The bank's step, while the phase is `authenticate`; also after a reload. */
  confirm(): Promise<PaymentView>
}

type PaymentParts = {
  readonly store: Store
  readonly cardAdapter: CardAdapter | undefined
  readonly around: Surroundings
  readonly sessionId: string
}

export function paymentOf({ store, around, cardAdapter, sessionId }: PaymentParts): Payment {
  const listeners = new Set<() => void>()
  let stop: (() => void) | undefined
  let cardToken: string | undefined
  let view: PaymentView = {
    sessionId,
    phase: "loading",
    status: null,
    busy: null,
    problem: null,
    isOffline: false,
    confirmation: null,
    endsAt: null,
  }
  const change = (changes: Partial<PaymentView>): PaymentView => {
    view = { ...view, ...changes }
    for (const listener of listeners) listener()
    return view
  }
  const show = (status: Status) => {
    const endsAt = endsAtOf(status, view, around.now())
    return change({ status, endsAt, phase: phaseOf(status), isOffline: false })
  }
  const tell = (told: Told) => {
    if (told.kind === "status") show(told.status)
    else if (told.kind === "gone") change({ phase: "gone", isOffline: false })
    else change({ isOffline: true })
  }
  const followOn = () => {
    stop?.()
    stop = listeners.size > 0 ? follow(store, sessionId, tell, around) : undefined
  }
  const act = async (busy: "starting" | "canceling", work: () => Promise<Status>) => {
    if (view.busy !== null) return view
    change({ busy, problem: null })
    try {
      show(await work())
    } catch (error) {
      const problem = error instanceof Refused ? error : new NoAnswer(error)
      // What is in the way of a new payment is what the shopper should see.
      const inTheWay = error instanceof Refused ? error.payment : null
      if (inTheWay && (isUnderWay(inTheWay) || busy === "canceling")) show(inTheWay)
      else change({ problem })
    }
    change({ busy: null })
    followOn()
    return view
  }

  return {
    getView: () => view,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) followOn()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
    start: (request = {}, onTurn) =>
      act("starting", () => {
        cardToken = request.card_token
        change({ confirmation: null })
        return inTurn(
          () => startedOf({ store, around, sessionId, request }),
          around,
          (turnInSeconds) => {
            change({ turnInSeconds })
            onTurn?.(turnInSeconds)
          },
        )
      }),
    cancel: () => act("canceling", () => store.cancel(sessionId)),
    async confirm() {
      const clientSecret = view.status?.client_secret
      if (!cardAdapter || !clientSecret || view.confirmation === "running") return view
      change({ confirmation: "running" })
      let confirmation: PaymentView["confirmation"] = "passed"
      try {
        await cardAdapter.confirm({ clientSecret, cardToken })
      } catch {
        confirmation = "left"
      }
      // Of a try that is over nothing is said.
      if (view.status?.client_secret === clientSecret) change({ confirmation })
      followOn()
      return view
    },
  }
}

/** Counted from the answer's arrival. Of several answers the one that came fastest is the truest. */
function endsAtOf(status: Status, before: PaymentView, now: number): number | null {
  if (status.expires_in_seconds === null) return null
  const endsAt = now + status.expires_in_seconds * 1_000
  const isSame = before.status?.expires_at === status.expires_at
  return isSame && before.endsAt !== null ? Math.min(endsAt, before.endsAt) : endsAt
}

export function phaseOf({ state, flow, prompt, client_secret, can_retry }: Status): Phase {
  switch (state) {
    case "waiting_for_payer":
      // The gateway said once that it failed: `start` makes sure of that before it sends anew.
      if (can_retry) return "failed"
      if (flow === "card") return "checking"
      if (flow !== "push") return "page"
      return prompt === "sending" ? "sending" : "approve"
    case "action_required":
      return client_secret === null ? "checking" : "authenticate"
    case "processing":
      return "received"
    default:
      return state
  }
}
