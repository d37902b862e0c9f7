/**
 * One payment session as a page shows it: a small state machine over the store's routes. Nothing in
 * it can charge twice: the store gives the payment back that is under way, and while one tab starts
 * a payment of a cart, the others wait for what comes of it.
 */
import type { CardAdapter } from "./card.js"
import { browser, follow, type Surroundings, type Told } from "./follow.js"
import { isUnderWay, recordOf, textOf, type Status } from "./status.js"
import {
  NoAnswer,
  Refused,
  storeOf,
  type StartRequest,
  type Store,
  type StoreOptions,
} from "./store.js"

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

/** `cartId` is null for an order that was placed elsewhere. */
export type Remembered = { readonly sessionId: string; readonly cartId: string | null }

export type CheckoutOptions = StoreOptions & {
  /** Where the payment under way is kept over a reload. Default: `localStorage`; null: nowhere. */
  readonly storage?: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null
  readonly around?: Surroundings
  /**
   * When the shop's orders are placed, as the store's account has it: `order_first` completes the
   * cart before the payment starts. Default: `pay_first`.
   */
  readonly orderPlacement?: "pay_first" | "order_first"
  /** Without it no card is offered on the shop's own page. */
  readonly cardAdapter?: CardAdapter
}

export type Checkout = {
  readonly store: Store
  readonly cardAdapter: CardAdapter | undefined
  /** The same object for the same session. */
  payment(sessionId: string): Payment
  /**
   * Makes the payment session of the cart and starts it, once per cart however many tabs do so.
   * Resolves to the payment under way, also when another tab or another method has started it.
   * @throws Refused, NoAnswer
   */
  pay(
    cartId: string,
    providerId: string,
    request?: StartRequest,
    /** Called each second while the shop is busy, and with null once it is the shopper's turn. */
    onTurn?: (inSeconds: number | null) => void,
  ): Promise<Payment>
  /** The same for a payment collection of an order that is placed. @throws Refused, NoAnswer */
  payCollection(id: string, providerId: string, request?: StartRequest): Promise<Payment>
  /** The payment that was under way when the page was left, also yesterday. */
  remembered(): Remembered | null
  forget(): void
}

const KEY = "merchant-payments"
/** Another tab that pays is done with its payment session in far less. */
const TRIES = 5
const OTHER_TAB_MS = 600

export function createCheckout(options: CheckoutOptions = {}): Checkout {
  const store = storeOf(options)
  const { around = browser, cardAdapter } = options
  const storage = options.storage === undefined ? localStorageIn() : options.storage
  const payments = new Map<string, Payment>()
  const remember = (of: Remembered) => storage?.setItem(KEY, JSON.stringify(of))

  const payment = (sessionId: string): Payment => {
    const known = payments.get(sessionId)
    if (known) return known
    const made = paymentOf({ store, around, cardAdapter, sessionId })
    payments.set(sessionId, made)
    return made
  }
  const started = (
    cartId: string | null,
    name: string,
    request: StartRequest | undefined,
    sessionOf: () => Promise<string>,
    onTurn?: (inSeconds: number | null) => void,
  ): Promise<Payment> =>
    alone(name, async () => {
      for (let left = TRIES; ; left -= 1) {
        try {
          const sessionId = await sessionOf().catch(sessionUnderWay)
          remember({ cartId, sessionId })
          const { problem, status } = await payment(sessionId).start(request, onTurn)
          if (problem) throw problem
          const shown = status?.id ?? sessionId
          remember({ cartId, sessionId: shown })
          return payment(shown)
        } catch (error) {
          if (left <= 1 || !isOtherTab(error)) throw error
          await new Promise((resolve) => setTimeout(resolve, OTHER_TAB_MS))
        }
      }
    })
  return {
    store,
    cardAdapter,
    payment,
    pay: (cartId, providerId, request, onTurn) => {
      const sessionOf = async () => {
        const sessionId = await store.sessionOf(cartId, providerId)
        remember({ cartId, sessionId })
        if (options.orderPlacement === "order_first") await store.complete(cartId)
        return sessionId
      }
      return started(cartId, `${KEY} ${cartId}`, request, sessionOf, onTurn)
    },
    payCollection: (id, providerId, request) =>
      started(null, `${KEY} ${id}`, request, () => store.sessionOfCollection(id, providerId)),
    remembered: () => rememberedIn(storage?.getItem(KEY) ?? null),
    forget: () => storage?.removeItem(KEY),
  }
}

/** Of several tabs one at a time, where the browser can say so; the store decides in any case. */
function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (typeof navigator === "undefined" || !("locks" in navigator)) return work()
  return navigator.locks.request(name, work) as Promise<T>
}

/** Medusa refuses a new session beside a payment under way, which is then the one to show. */
function sessionUnderWay(error: unknown): string {
  if (error instanceof Refused && error.payment && isUnderWay(error.payment)) {
    return error.payment.id
  }
  throw error
}

/**
 * A browser without locks, or another device, was faster by a moment: Medusa answers 500 or a bare
 * 409 to the second of two requests for a payment session, and the store does not know a session
 * that the other has replaced.
 */
function isOtherTab(error: unknown): boolean {
  if (!(error instanceof Refused) || error.payment) return false
  const isMedusas = error.status === 500 || error.body["type"] === "conflict"
  return isMedusas || error.code === "session_not_found"
}

type PaymentParts = Pick<Checkout, "store" | "cardAdapter"> & {
  readonly around: Surroundings
  readonly sessionId: string
}

function paymentOf({ store, around, cardAdapter, sessionId }: PaymentParts): Payment {
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
  }
  const change = (changes: Partial<PaymentView>): PaymentView => {
    view = { ...view, ...changes }
    for (const listener of listeners) listener()
    return view
  }
  const show = (status: Status) => change({ status, phase: phaseOf(status), isOffline: false })
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
          () => store.start(sessionId, request),
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

/** The store keeps the place of a start that it can't take yet, and says when it can. */
async function inTurn(
  start: () => Promise<Status>,
  tell: (inSeconds: number | null) => void,
): Promise<Status> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const isQueued = error instanceof Refused && error.body["queued"] === true
      if (!isQueued) throw error
      const seconds = Number(error.body["retry_after_seconds"] ?? 1)
      for (let left = seconds; left > 0; left -= 1) {
        tell(left)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
      tell(null)
    }
  }
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

function localStorageIn(): Storage | null {
  try {
    return localStorage
  } catch {
    // A browser that forbids storage forbids the question for it too, and a server has none.
    return null
  }
}

function rememberedIn(text: string | null): Remembered | null {
  try {
    const kept = recordOf(JSON.parse(text ?? "null"))
    const sessionId = textOf(kept["sessionId"])
    return sessionId === null ? null : { sessionId, cartId: textOf(kept["cartId"]) }
  } catch {
    return null
  }
}
