/**
 * The payments of one browser. Nothing here can charge twice: the store gives the payment back that
 * is under way, and while one tab starts a payment of a cart, the others wait for what comes of it.
 */
import type { CardAdapter } from "./card.js"
import { browser, type Surroundings } from "./follow.js"
import { oneTabAtATime } from "./one-tab.js"
import { paymentOf, type Payment } from "./payment.js"
import { isUnderWay, recordOf, textOf } from "./status.js"
import { Refused, storeOf, type StartRequest, type Store, type StoreOptions } from "./store.js"

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
  /** What of the browser is asked: whether the page is shown, and its clock. */
  readonly around: Surroundings
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
  /**
   * Whether this browser began the payment, also once it is forgotten. Where nothing can be stored
   * it is not known, and reads true.
   */
  isMine(sessionId: string): boolean
}

const KEY = "merchant-payments"
const BEGUN = "merchant-payments-begun"
/** More than one person pays in the days in which an old address is opened again. */
const BEGUN_MAX = 20
/** Another tab that pays is done with its payment session in far less. */
const TRIES = 5
const OTHER_TAB_MS = 600

export function createCheckout(options: CheckoutOptions = {}): Checkout {
  const store = storeOf(options)
  const { around = browser, cardAdapter } = options
  const storage = options.storage === undefined ? localStorageIn() : options.storage
  const payments = new Map<string, Payment>()
  const remember = (of: Remembered) => {
    storage?.setItem(KEY, JSON.stringify(of))
    const others = begunIn(storage?.getItem(BEGUN) ?? null).filter((id) => id !== of.sessionId)
    storage?.setItem(BEGUN, JSON.stringify([of.sessionId, ...others].slice(0, BEGUN_MAX)))
  }

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
    oneTabAtATime(name, async () => {
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
    around,
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
    isMine: (id) => storage === null || begunIn(storage.getItem(BEGUN)).includes(id),
  }
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

function localStorageIn(): Storage | null {
  try {
    return localStorage
  } catch {
    // A browser that forbids storage forbids the question for it too, and a server has none.
    return null
  }
}

function begunIn(text: string | null): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
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
