/** The kit's core against servers that hang, with its timers in the test's hand. */
import fc from "fast-check"
import { NoAnswer } from "./store.js"
import type { Payment } from "./payment.js"
import { drivenPage, type DrivenPage } from "./testing/driven-page.js"
import { DISTURBANCES, event, json, says } from "./testing/scripted-store.js"

const STATUS = "GET /sessions/a"
const EVENTS = "GET /sessions/a/events"
const START = "POST /sessions/a/start"
const waits = { state: "waiting_for_payer", prompt: "sent" } as const
const paid = { state: "paid", order_id: "order_1" } as const
/** Those after which the caller waits for ever. */
const HANGS = Object.keys(DISTURBANCES).filter((name) => !/cut|proxy/.test(name))

let page: DrivenPage

beforeEach(async () => void (page = await drivenPage()))
afterEach(() => page.leave())

const times = (request: string) => page.store.asked.filter((name) => name === request).length
const disturbed = (name: string) => DISTURBANCES[name] ?? (() => undefined)

describe.each(HANGS)("STATUS that is %s", (name) => {
  it("ends by itself within 10 s, is said, and is asked again until it is answered", async () => {
    page.store.on(EVENTS, (_request, response) => json(response, 429, { message: "Too many." }))
    page.store.on(STATUS, disturbed(name))
    const view = page.follow(page.checkout.payment("a"))
    expect(await page.until(() => view().isOffline, 11)).toBeGreaterThan(9)
    page.store.on(STATUS, says(waits))
    await page.until(() => view().phase === "approve" && !view().isOffline, 14)
  })

  it("does not hold up a page that is shown again", async () => {
    page.store.on(EVENTS, (_request, response) => json(response, 429, { message: "Too many." }))
    page.store.on(STATUS, disturbed(name))
    const view = page.follow(page.checkout.payment("a"))
    await page.until(() => times(STATUS) === 1, 1)
    page.store.on(STATUS, says(waits))
    page.shown()
    expect(await page.until(() => view().phase === "approve", 1)).toBeLessThan(1)
  })
})

it("several signs at once that the page is shown again make one question", async () => {
  page.store.on(EVENTS, (_request, response) => json(response, 429, { message: "Too many." }))
  page.store.on(STATUS, says(waits))
  const view = page.follow(page.checkout.payment("a"))
  await page.until(() => view().phase === "approve", 1)
  const before = times(STATUS)
  for (const _sign of ["visibilitychange", "focus", "online"]) page.shown()
  await page.settle()
  expect(times(STATUS)).toBe(before + 1)
})

describe.each([...HANGS, "cut off"])("a stream that is %s", (name) => {
  it("does not keep the page from asking", async () => {
    page.store.on(EVENTS, disturbed(name))
    page.store.on(STATUS, says(waits))
    const view = page.follow(page.checkout.payment("a"))
    await page.until(() => view().phase === "approve", 4)
    page.store.on(STATUS, says(paid))
    await page.until(() => view().phase === "paid", 5)
  })

  it("ends within 15 s, and the next one is heard", async () => {
    page.store.on(EVENTS, disturbed(name))
    page.store.on(STATUS, says(waits))
    const view = page.follow(page.checkout.payment("a"))
    await page.until(() => times(EVENTS) === 1, 1)
    page.store.on(EVENTS, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end(event("1", paid))
    })
    await page.until(() => view().phase === "paid", 20)
  })
})

it("a stream that falls silent later is asked beside after one missed heartbeat", async () => {
  page.store.on(EVENTS, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event("1", waits))
  })
  page.store.on(STATUS, says(paid))
  const view = page.follow(page.checkout.payment("a"))
  await page.until(() => view().phase === "approve", 1)
  expect(await page.until(() => view().phase === "paid", 25)).toBeGreaterThan(15)
})

it("a slow answer does not undo what the stream has said meanwhile", async () => {
  let tell = (_status: object) => undefined as void
  let answer = () => undefined as void
  page.store.on(EVENTS, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
    tell = (status) => void response.write(event("1", status))
  })
  page.store.on(STATUS, (request, response) => {
    answer = () => says({ state: "ready" })(request, response, "")
  })
  const view = page.follow(page.checkout.payment("a"))
  await page.until(() => times(STATUS) === 1, 4)
  tell(waits)
  await page.until(() => view().phase === "approve", 1)
  answer()
  await page.settle()
  expect(view().phase).toBe("approve")
})

describe.each(HANGS)("a start that is %s", (name) => {
  it("ends within 40 s and shows the payment that it began", async () => {
    page.store.on(START, disturbed(name))
    page.store.on(STATUS, says({ ...waits, prompt: "sending" }))
    const payment = page.checkout.payment("a")
    const starting = payment.start()
    const seconds = await page.until(() => payment.getView().busy === null, 41)
    expect(seconds).toBeGreaterThan(25)
    expect(await starting).toMatchObject({ phase: "sending", problem: null })
    expect(times(START)).toBe(1)
  })

  it("can be sent again where it never came to the store", async () => {
    page.store.on(START, disturbed(name))
    page.store.on(STATUS, says({ state: "ready" }))
    const payment = page.checkout.payment("a")
    void payment.start()
    await page.until(() => payment.getView().busy === null, 51)
    expect(payment.getView().problem).toBeInstanceOf(NoAnswer)
    page.store.on(START, says(waits))
    const again = payment.start()
    await page.until(() => payment.getView().busy === null, 1)
    expect(await again).toMatchObject({ phase: "approve", problem: null })
  })

  it("does not hold up a shopper who comes back from the phone's prompt", async () => {
    page.store.on(START, disturbed(name))
    page.store.on(STATUS, says({ ...waits, prompt: "sending" }))
    const payment = page.checkout.payment("a")
    void payment.start()
    await page.until(() => times(START) === 1, 1)
    page.shown()
    await page.settle()
    // It may still be refused, and only its own answer says why.
    expect(payment.getView().busy).toBe("starting")
    page.store.on(STATUS, says(waits))
    page.shown()
    await page.until(() => payment.getView().busy === null, 1)
    expect(payment.getView().phase).toBe("approve")
  })
})

it.each(HANGS)("a call in the way to pay that is %s ends within 40 s", async (name) => {
  page.store.on("POST /payment-collections", disturbed(name))
  const failed = page.checkout.pay("cart", "pp").then(
    () => undefined,
    (error: unknown) => error,
  )
  let error: unknown
  void failed.then((one) => (error = one))
  await page.until(() => error !== undefined, 41)
  expect(error).toBeInstanceOf(NoAnswer)
})

it.each(["never granted", "refused"])(
  "a lock between tabs that is %s holds up nothing",
  async (how) => {
    const request = (_name: string, _options: object, _work: () => unknown) =>
      how === "refused" ? Promise.reject(new Error("SecurityError")) : new Promise(() => undefined)
    Object.assign(globalThis, { navigator: { locks: { request } } })
    try {
      page.store.on("POST /payment-collections", (_request, response) =>
        json(response, 200, {
          payment_collection: { payment_sessions: [{ id: "a", provider_id: "pp" }] },
        }),
      )
      page.store.on(START, says(waits))
      let payment: Payment | undefined
      void page.checkout.pay("cart", "pp").then((begun) => (payment = begun))
      await page.until(() => payment !== undefined, 6)
      expect(times(START)).toBe(1)
    } finally {
      Reflect.deleteProperty(globalThis, "navigator")
    }
  },
)

it("a payment's page ends with what became of it, however its first answers are disturbed", async () => {
  const kind = fc.constantFrom("well", ...Object.keys(DISTURBANCES))
  const answers = fc.array(kind, { minLength: 1, maxLength: 5 })
  const property = fc.asyncProperty(answers, answers, async (statuses, streams) => {
    const at = { status: 0, stream: 0 }
    page.store.on(STATUS, (request, response, body) => {
      const name = statuses[at.status]
      at.status += 1
      const last = name === undefined ? paid : waits
      return (DISTURBANCES[name ?? ""] ?? says(last))(request, response, body)
    })
    page.store.on(EVENTS, (request, response, body) => {
      const name = streams[at.stream] ?? "never answered"
      at.stream += 1
      if (name !== "well") return disturbed(name)(request, response, body)
      response.writeHead(200, { "content-type": "text/event-stream" }).end(event("1", waits))
    })
    const payment = page.checkout.payment("a")
    const stop = payment.subscribe(() => undefined)
    // Each disturbed answer costs its own deadline and the pause behind it, and no more.
    await page.until(() => payment.getView().phase === "paid", 10 + statuses.length * 16)
    stop()
  })
  await fc.assert(property, { numRuns: 25 })
})
