/** What a page counts, on a device whose clock is wrong, jumps, or stands still while it sleeps. */
import fc from "fast-check"
import { drivenPage, type DrivenPage } from "./testing/driven-page.js"
import { event, says } from "./testing/scripted-store.js"

const HOUR = 3_600_000
const LASTS_MS = 120_000
/** Whole seconds in the answer, and what the answer takes. */
const OFF_MS = 1_200

let page: DrivenPage
/** What is left by the store's clock. */
let leftMs: number
/** Of each STATUS that was sent. */
let said: number[]

async function onPage(play: () => Promise<void>): Promise<void> {
  page = await drivenPage()
  leftMs = LASTS_MS
  said = []
  const status = () => {
    const expires_in_seconds = Math.max(0, Math.ceil(leftMs / 1_000))
    said.push(expires_in_seconds)
    return {
      ...({ state: "waiting_for_payer", prompt: "sent", can_cancel: true } as const),
      ...{ expires_at: "2026-01-01T00:00:00.000Z", expires_in_seconds },
    }
  }
  page.store.on("GET /sessions/a", (...given) => says(status())(...given))
  page.store.on("GET /sessions/a/events", (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event("1", status()))
    const heartbeat = setInterval(() => response.write(":\n\n"), 15_000)
    response.on("close", () => clearInterval(heartbeat))
  })
  page.follow(page.checkout.payment("a"))
  await page.settle()
  try {
    await play()
  } finally {
    await page.leave()
  }
}

const pass = async (ms: number) => {
  for (let passed = 0; passed < ms; passed += 100) {
    leftMs -= 100
    jest.advanceTimersByTime(100)
    await page.settle()
  }
}
/** The device's timers and its steady clock stand still; the store's clock does not. */
const sleep = (ms: number) => {
  leftMs -= ms
}

const shownMs = () => (page.checkout.payment("a").getView().endsAt ?? NaN) - performance.now()
const saysOver = () => page.checkout.payment("a").getView().status?.expires_in_seconds === 0

type Step = { readonly what: "pass" | "sleep" | "jump"; readonly ms: number }

it("a page counts as the store does, and says that time is over when the store has said it", async () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant("pass" as const), ms: fc.integer({ min: 100, max: 20_000 }) }),
    fc.record({ what: fc.constant("sleep" as const), ms: fc.integer({ min: 100, max: 60_000 }) }),
    fc.record({ what: fc.constant("jump" as const), ms: fc.integer({ min: -9, max: 9 }) }),
  )
  const take = async ({ what, ms }: Step) => {
    if (what === "pass") await pass(ms)
    if (what === "jump") jest.setSystemTime(Date.now() + ms * HOUR)
    if (what !== "sleep") return
    sleep(ms)
    // The bursts of one waking make one question; the device has slept longer than one lasts.
    await pass(1_000)
    page.shown()
    await page.settle()
  }
  const played = fc.asyncProperty(fc.array(step, { maxLength: 8 }), (steps) =>
    onPage(async () => {
      for (const one of steps) {
        await take(one)
        if (saysOver()) expect(leftMs).toBeLessThanOrEqual(0)
        else if (leftMs > OFF_MS) expect(Math.abs(shownMs() - leftMs)).toBeLessThan(OFF_MS)
        if (leftMs < -OFF_MS) expect(saysOver()).toBe(true)
      }
    }),
  )
  await fc.assert(played, { numRuns: 15 })
})

it.each([-9, -1, 0, 1, 9])("a clock that is %d hours off changes nothing", (hours) =>
  onPage(async () => {
    jest.setSystemTime(Date.now() + hours * HOUR)
    await pass(30_000)
    expect(Math.abs(shownMs() - 90_000)).toBeLessThan(OFF_MS)
    expect(saysOver()).toBe(false)
    jest.setSystemTime(Date.now() - 2 * hours * HOUR)
    await pass(92_000)
    expect(saysOver()).toBe(true)
  }),
)

it("a page whose count has run out asks the store, and goes on counting if there is time left", () =>
  onPage(async () => {
    await pass(60_000)
    const before = said.length
    leftMs += 30_000
    await pass(62_000)
    expect(said.slice(before)).toContain(30)
    expect(saysOver()).toBe(false)
    await pass(30_000)
    expect(saysOver()).toBe(true)
  }))
