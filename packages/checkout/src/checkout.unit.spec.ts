import { cardTokenOf, type CardAdapter } from "./card.js"
import { createCheckout } from "./checkout.js"
import type { Payment, PaymentView } from "./payment.js"
import { event, json, says, scriptedStore, type ScriptedStore } from "./testing/scripted-store.js"

let store: ScriptedStore
let stops: (() => void)[]
let shown: () => void
let isHidden: boolean

beforeEach(async () => {
  store = await scriptedStore()
  stops = []
  isHidden = false
  shown = () => undefined
})

afterEach(async () => {
  for (const stop of stops) stop()
  await store.close()
})

const STREAM = { "content-type": "text/event-stream" }

function checkoutOf(kept = new Map<string, string>(), cardAdapter?: CardAdapter) {
  return createCheckout({
    baseUrl: store.url,
    cardAdapter,
    publishableKey: "pk",
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    around: {
      isHidden: () => isHidden,
      onShown: (listener) => {
        shown = listener
        return () => (shown = () => undefined)
      },
      now: () => performance.now(),
    },
  })
}

/** Resolves with the first view that fits; the payment is followed until the test ends. */
function seen(payment: Payment, fits: (view: PaymentView) => boolean): Promise<PaymentView> {
  return new Promise((resolve) => {
    const look = () => {
      if (fits(payment.getView())) resolve(payment.getView())
    }
    stops.push(payment.subscribe(look))
    look()
  })
}

const phase = (wanted: PaymentView["phase"]) => (view: PaymentView) => view.phase === wanted

it.each(["", "/", "/medusa", "/medusa/"])("the store's address may end with %j", async (end) => {
  store.on("GET /sessions/a", says({ state: "ready" }))
  const checkout = createCheckout({ baseUrl: store.url + end, storage: null })
  await checkout.store.status("a")
  expect(store.asked).toEqual([`GET ${end.replace(/\/$/, "")}/sessions/a`])
})

describe("a payment on a page", () => {
  it("is followed by the store's events, and asks no more once it is paid", async () => {
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.write(event("1", { state: "waiting_for_payer", prompt: "sending" }))
      response.write(event("2", { state: "waiting_for_payer", prompt: "sent" }))
      response.end(event("3", { state: "paid", order_id: "order_1" }))
    })
    const payment = checkoutOf().payment("a")
    const phases: string[] = []
    stops.push(payment.subscribe(() => phases.push(payment.getView().phase)))
    const view = await seen(payment, phase("paid"))
    expect(view.status?.order_id).toBe("order_1")
    expect(phases).toEqual(["sending", "approve", "paid"])
    expect(store.asked).toEqual(["GET /sessions/a/events"])
  })

  it("is asked after where there is no stream", async () => {
    store.on("GET /a/events", (_request, response) => json(response, 429, { message: "Too many." }))
    store.on("GET /sessions/a", says({ state: "waiting_for_payer", prompt: "sent" }))
    expect((await seen(checkoutOf().payment("a"), phase("approve"))).isOffline).toBe(false)
  })

  it("names the last event it has when it connects again", async () => {
    const ids: unknown[] = []
    store.on("GET /a/events", ({ headers }, response) => {
      ids.push(headers["last-event-id"])
      response.writeHead(200, STREAM)
      if (ids.length === 1) response.end(event("7", { state: "waiting_for_payer", prompt: "sent" }))
      else response.end(event("8", { state: "paid" }))
    })
    store.on("GET /sessions/a", says({ state: "waiting_for_payer", prompt: "sent" }))
    const payment = checkoutOf().payment("a")
    await seen(payment, phase("approve"))
    const paid = seen(payment, phase("paid"))
    shown()
    await paid
    expect(ids).toEqual([undefined, "7"])
  })

  it("says that the shop does not answer, and keeps what it knows", async () => {
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.end(event("1", { state: "waiting_for_payer", prompt: "sent" }))
    })
    store.on("GET /sessions/a", (_request, response) => response.destroy())
    const view = await seen(checkoutOf().payment("a"), ({ isOffline }) => isOffline)
    expect(view.phase).toBe("approve")
  })

  it("asks nothing while the page is hidden, and at once when it is shown", async () => {
    isHidden = true
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.end(event("1", { state: "paid" }))
    })
    const payment = checkoutOf().payment("a")
    const paid = seen(payment, phase("paid"))
    expect(store.asked).toEqual([])
    isHidden = false
    shown()
    await paid
  })

  it("is asked after for a while once it was cancelled: the phone may confirm it after all", async () => {
    const ended = { flow: "push", state: "expired", reason: "canceled", can_retry: true } as const
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.end(event("1", ended))
    })
    store.on("GET /sessions/a", says({ flow: "push", state: "under_review" }))
    const payment = checkoutOf().payment("a")
    await seen(payment, phase("expired"))
    await seen(payment, phase("under_review"))
  })

  it("is asked after while the shop decides about it, and shows what was decided", async () => {
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.end(event("1", { state: "under_review" }))
    })
    store.on("GET /sessions/a", says({ state: "under_review" }))
    const payment = checkoutOf().payment("a")
    await seen(payment, phase("under_review"))
    store.on("GET /sessions/a", says({ state: "expired", reason: "returned", can_retry: true }))
    const decided = seen(payment, phase("expired"))
    // It asks rarely by itself, and at once when the page is shown again.
    const asking = setInterval(() => shown(), 20)
    stops.push(() => clearInterval(asking))
    expect((await decided).status?.reason).toBe("returned")
    // Its events would end at once, so they are asked for once only.
    expect(store.asked.filter((name) => name.endsWith("/events"))).toHaveLength(1)
  })

  it("is gone where the store does not know it", async () => {
    expect((await seen(checkoutOf().payment("b"), phase("gone"))).status).toBeNull()
    expect(store.asked).toEqual(["GET /sessions/b/events"])
  })

  it("reads a state that it does not know as one that goes on", async () => {
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.end(event("1", { state: "held" as never }))
    })
    store.on("GET /sessions/a", says({ state: "paid" }))
    const payment = checkoutOf().payment("a")
    await seen(payment, phase("received"))
    await seen(payment, phase("paid"))
  })
})

describe("paying a cart", () => {
  const sessions = (ids: readonly object[]) => ({
    payment_collection: { id: "paycol", payment_sessions: ids },
  })

  it("takes the session that the cart has, starts it, and remembers it", async () => {
    store.on("POST /payment-collections", (_request, response) =>
      json(response, 200, sessions([{ id: "a", provider_id: "pp" }])),
    )
    store.on("POST /start", says({ state: "waiting_for_payer", prompt: "sending" }))
    const kept = new Map<string, string>()
    const payment = await checkoutOf(kept).pay("cart", "pp", { phone: "+231 770 000 010" })
    expect(payment.getView()).toMatchObject({ phase: "sending", busy: null, problem: null })
    expect(checkoutOf(kept).remembered()).toEqual({ cartId: "cart", sessionId: "a" })
  })

  it("shows the payment that is under way, where Medusa refuses a new session", async () => {
    const underWay = { id: "b", state: "waiting_for_payer", flow: "push", prompt: "sent" }
    store.on("POST /payment-collections", (_request, response) =>
      json(response, 409, { code: "payment_in_progress", message: "Wait.", payment: underWay }),
    )
    store.on("POST /b/start", (_request, response) => json(response, 200, { payment: underWay }))
    const payment = await checkoutOf().pay("cart", "pp")
    expect(payment.getView()).toMatchObject({ sessionId: "b", phase: "approve" })
  })

  it("is refused with the store's code, and starts nothing twice meanwhile", async () => {
    store.on("POST /payment-collections", (_request, response) => json(response, 200, sessions([])))
    store.on("POST /payment-sessions", (_request, response) =>
      json(response, 200, sessions([{ id: "a", provider_id: "pp" }])),
    )
    store.on("POST /start", (_request, response) =>
      json(response, 400, { code: "invalid_phone", message: "No number.", payment: null }),
    )
    const checkout = checkoutOf()
    await expect(checkout.pay("cart", "pp")).rejects.toMatchObject({ code: "invalid_phone" })
    const payment = checkout.payment("a")
    await Promise.all([payment.start(), payment.start(), payment.start()])
    expect(store.asked.filter((name) => name.endsWith("/start"))).toHaveLength(2)
  })

  it("waits for its turn and sends again by itself, and the shopper hears for how long", async () => {
    store.on("POST /payment-collections", (_request, response) =>
      json(response, 200, sessions([{ id: "a", provider_id: "pp" }])),
    )
    const underWay = { id: "a", state: "waiting_for_payer", flow: "push", prompt: "sent" }
    let tries = 0
    store.on("POST /start", (_request, response) => {
      const busy = { code: "too_many_requests", queued: true, message: "Wait." }
      tries += 1
      if (tries <= 3)
        return json(response, 429, { ...busy, retry_after_seconds: tries === 1 ? 1 : 0 })
      return json(response, 200, { payment: underWay })
    })
    const turns: (number | null)[] = []
    const payment = await checkoutOf().pay("cart", "pp", {}, (seconds) => turns.push(seconds))
    expect(payment.getView()).toMatchObject({ phase: "approve", problem: null })
    expect(turns).toEqual([1, null, null, null])
    expect(tries).toBe(4)
  })

  it("places the order first where the shop works so, and pays nothing without it", async () => {
    store.on("POST /payment-collections", (_request, response) =>
      json(response, 200, sessions([{ id: "a", provider_id: "pp" }])),
    )
    store.on("POST /start", says({ state: "waiting_for_payer", prompt: "sending" }))
    store.on("POST /complete", (_request, response) =>
      json(response, 200, { type: "cart", error: { message: "Sold out." } }),
    )
    const checkout = createCheckout({
      baseUrl: store.url,
      storage: null,
      orderPlacement: "order_first",
    })
    await expect(checkout.pay("cart", "pp")).rejects.toMatchObject({ code: "cart_not_completed" })
    expect(store.asked).not.toContain("POST /sessions/a/start")
    store.on("POST /complete", (_request, response) => json(response, 200, { type: "order" }))
    await checkout.pay("cart", "pp")
    expect(store.asked.slice(-2)).toEqual([
      "POST /store/carts/cart/complete",
      "POST /sessions/a/start",
    ])
  })

  it("pays what an order still asks for by its payment collection", async () => {
    store.on("POST /paycol/payment-sessions", (_request, response) =>
      json(response, 200, sessions([{ id: "a", provider_id: "pp" }])),
    )
    store.on("POST /start", says({ state: "waiting_for_payer", flow: "hosted", url: "https://x" }))
    const kept = new Map<string, string>()
    const payment = await checkoutOf(kept).payCollection("paycol", "pp")
    expect(payment.getView().phase).toBe("page")
    expect(checkoutOf(kept).remembered()).toEqual({ cartId: null, sessionId: "a" })
  })

  it("tries again where another device was faster by a moment", async () => {
    let times = 0
    store.on("POST /payment-collections", (_request, response) => {
      times += 1
      if (times === 1) json(response, 500, { message: "An unknown error occurred." })
      else json(response, 200, sessions([{ id: "a", provider_id: "pp" }]))
    })
    store.on("POST /start", says({ state: "waiting_for_payer", prompt: "sent" }))
    expect((await checkoutOf().pay("cart", "pp")).getView().phase).toBe("approve")
    expect(times).toBe(2)
  })

  it("cancels, and shows what came in between", async () => {
    store.on("POST /cancel", (_request, response) =>
      json(response, 409, {
        code: "already_paid",
        message: "Paid.",
        payment: { id: "a", state: "paid", flow: "push", order_id: "order_1" },
      }),
    )
    const view = await checkoutOf().payment("a").cancel()
    expect(view).toMatchObject({ phase: "paid", busy: null, problem: null })
  })
})

describe("a card on the shop's own page", () => {
  const asked = { flow: "card", state: "action_required", client_secret: "secret_1" } as const

  /** The bank's step ends when the test says so. */
  function bank() {
    const steps: unknown[] = []
    let end = (_isPassed: boolean) => undefined as void
    const adapter: CardAdapter = {
      tokenize: () => Promise.resolve("token_1"),
      confirm: (step) => {
        steps.push(step)
        return new Promise((resolve, reject) => {
          end = (isPassed) => (isPassed ? resolve() : reject(new Error("left")))
        })
      },
    }
    return { adapter, steps, end: (isPassed: boolean) => end(isPassed) }
  }

  it("is confirmed with its token, and what the browser says ends nothing", async () => {
    store.on("POST /start", says(asked))
    const { adapter, steps, end } = bank()
    const payment = checkoutOf(undefined, adapter).payment("a")
    await payment.start({ card_token: await cardTokenOf(adapter) })
    expect(payment.getView()).toMatchObject({ phase: "authenticate", confirmation: null })
    const confirming = payment.confirm()
    await payment.confirm()
    expect(payment.getView().confirmation).toBe("running")
    end(true)
    await confirming
    expect(payment.getView()).toMatchObject({ phase: "authenticate", confirmation: "passed" })
    expect(steps).toEqual([{ clientSecret: "secret_1", cardToken: "token_1" }])
  })

  it("can be confirmed after a reload and after the bank's page was left", async () => {
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.write(event("1", asked))
    })
    const { adapter, steps, end } = bank()
    const payment = checkoutOf(undefined, adapter).payment("a")
    await seen(payment, phase("authenticate"))
    const left = payment.confirm()
    end(false)
    expect(await left).toMatchObject({ phase: "authenticate", confirmation: "left" })
    const passed = payment.confirm()
    expect(steps).toEqual([{ clientSecret: "secret_1" }, { clientSecret: "secret_1" }])
    end(true)
    expect((await passed).confirmation).toBe("passed")
  })

  it("shows what STATUS says while the bank's step still runs", async () => {
    store.on("POST /start", says(asked))
    store.on("GET /a/events", (_request, response) => {
      response.writeHead(200, STREAM)
      response.end(event("1", { flow: "card", state: "paid", order_id: "order_1" }))
    })
    const { adapter, end } = bank()
    const payment = checkoutOf(undefined, adapter).payment("a")
    await payment.start({ card_token: "token_1" })
    const confirming = payment.confirm()
    await seen(payment, phase("paid"))
    end(false)
    expect((await confirming).phase).toBe("paid")
  })

  it("starts nothing where the card could not be read", async () => {
    const { adapter } = bank()
    const unread = { ...adapter, tokenize: () => Promise.reject(new Error("number")) }
    await expect(cardTokenOf(unread)).rejects.toMatchObject({ code: "card_not_read" })
  })
})
