/** Admins who compare at once share one comparison; a comparison that stops can begin again. */
import type { FlowDeps } from "../../../src/engine/deps"
import {
  comparedPeriod,
  readPeriod,
  type PeriodAsked,
} from "../../../src/reconciliation/read-period"
import { DAY, SECOND } from "../../support/an-operation"
import { background } from "../../support/background"
import { codeOf } from "../../support/code-of"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness } = useReconcileHarness()

let store: ReturnType<typeof background>

beforeEach(() => {
  store = background()
  harness.simulator.resetCalls()
})

/** Lets every comparison of the test go on, also where the test failed. */
const released: (() => void)[] = []

afterEach(async () => {
  for (const goOn of released.splice(0)) goOn()
  await store.ended()
})

/** The whole days around now, so that midnight changes nothing. */
const MIDNIGHT = Math.floor(Date.now() / DAY) * DAY
const DAYS: PeriodAsked = {
  from: new Date(MIDNIGHT - DAY),
  until: new Date(MIDNIGHT + 2 * DAY),
  accountId: undefined,
}
const OTHER_DAYS = { ...DAYS, until: new Date(MIDNIGHT + DAY) }

const read = (asked = DAYS, deps: FlowDeps = harness.deps) => readPeriod(deps, store.begin, asked)
/** As a page polls while a comparison runs. */
const poll = (asked = DAYS) => read({ ...asked, isFresh: false })
const click = (asked = DAYS, deps?: FlowDeps) => read({ ...asked, isFresh: true }, deps)

/** A comparison that is under way until it is let go on. */
function held() {
  const { database } = harness.deps
  let goOn = () => {}
  const isLetGo = new Promise<void>((resolve) => (goOn = resolve))
  let arrive = () => {}
  const isHeld = new Promise<void>((resolve) => (arrive = resolve))
  released.push(goOn)
  const deps: FlowDeps = {
    ...harness.deps,
    database: {
      async query(sql, parameters, name) {
        if (sql.includes("insert into mp_reconciliation")) {
          arrive()
          await isLetGo
        }
        return database.query(sql, parameters, name)
      },
    },
  }
  return { deps, isHeld, goOn }
}

const tasks = () => harness.ledger.sql("select name from mp_task")
const leaseEnds = () =>
  harness.ledger.sql("update mp_task set lease_until = now() - interval '1 ms'")

/** A process that was killed while it compared. */
const killed = (asked = DAYS) => readPeriod(harness.deps, () => undefined, asked)

const lists = () => harness.simulator.calls.listOrders ?? 0

describe("a click on Compare", () => {
  it("is answered at once, with the last result and the start of the new comparison", async () => {
    await read()
    await store.ended()
    const before = await read()
    expect(before).toMatchObject({ is_running: false, has_stopped: false, begun_at: null })
    const { deps, goOn } = held()
    const during = await click(DAYS, deps)
    expect(during).toMatchObject({ is_running: true, compared_at: before.compared_at })
    expect(Date.parse(during.begun_at ?? "")).toBeGreaterThan(Date.parse(before.compared_at ?? ""))
    expect(await poll()).toEqual(during)
    goOn()
    await store.ended()
    const after = await poll()
    expect(after).toMatchObject({ is_running: false, is_complete: true })
    expect(Date.parse(after.compared_at ?? "")).toBeGreaterThan(Date.parse(during.begun_at ?? ""))
    expect(await tasks()).toEqual([])
  })

  it("by another admin joins the comparison that is under way, and the gateway is asked once", async () => {
    const { deps, goOn } = held()
    const first = await click(DAYS, deps)
    expect(await Promise.all([click(), click(), read(), poll()])).toEqual(
      Array.from({ length: 4 }, () => first),
    )
    expect(await codeOf(comparedPeriod(harness.deps, store.begin, DAYS))).toBe(
      "reconciliation_running",
    )
    goOn()
    await store.ended()
    expect([store.begun(), lists()]).toEqual([1, 1])
  })

  it("for other days is refused while a comparison is under way, and so is a page of them", async () => {
    const { deps, goOn } = held()
    await click(DAYS, deps)
    expect(await codeOf(click(OTHER_DAYS))).toBe("reconciliation_running")
    expect(await codeOf(read(OTHER_DAYS))).toBe("reconciliation_running")
    expect(await poll(OTHER_DAYS)).toMatchObject({ is_running: false, begun_at: null })
    goOn()
    await store.ended()
    expect(await read(OTHER_DAYS)).toMatchObject({ is_running: true })
    await store.ended()
    expect(await poll(OTHER_DAYS)).toMatchObject({ is_running: false, is_complete: true })
  })
})

describe("a comparison that stops", () => {
  it("[P11] with its process reads as under way until its lease ends, and then as stopped", async () => {
    expect(await killed()).toMatchObject({ is_running: true, has_stopped: false })
    expect(await poll()).toMatchObject({ is_running: true, has_stopped: false })
    await leaseEnds()
    const stopped = {
      is_running: false,
      has_stopped: true,
      begun_at: expect.stringMatching(/Z$/),
      is_complete: false,
      compared_at: null,
      accounts: [],
    }
    expect(await poll()).toMatchObject(stopped)
    expect(await poll()).toMatchObject(stopped)
    expect(store.begun()).toBe(0)
  })

  it.each([
    ["a click", click],
    ["a page that is opened", read],
  ])("begins again by %s, and leaves nothing behind", async (_by, begins) => {
    await killed()
    await leaseEnds()
    expect(await begins()).toMatchObject({ is_running: true, has_stopped: false })
    await store.ended()
    expect(await poll()).toMatchObject({
      is_running: false,
      has_stopped: false,
      is_complete: true,
    })
    expect(await tasks()).toEqual([])
  })

  it("does not keep other days from being compared", async () => {
    await killed()
    await leaseEnds()
    expect(await read(OTHER_DAYS)).toMatchObject({ is_running: true, has_stopped: false })
  })

  it("[P13] at its next step because the process ends reads as stopped at once", async () => {
    const { deps, goOn } = held()
    await click(DAYS, { ...deps, budget: { ...deps.budget, take: async () => store.end() } })
    goOn()
    await store.ended()
    expect(await poll()).toMatchObject({ is_running: false, has_stopped: true })
    expect(harness.logged.join("\n")).toContain("merchant payments: a comparison stopped")
  })

  it("[P12] after another worker took it over does not end the other's", async () => {
    const { deps, isHeld, goOn } = held()
    const first = await click(DAYS, deps)
    await isHeld
    await leaseEnds()
    const second = await click(DAYS, deps)
    expect(second.begun_at).not.toBe(first.begun_at)
    expect(store.begun()).toBe(2)
    goOn()
    await store.ended()
    expect(await tasks()).toEqual([])
    expect(await poll()).toMatchObject({ is_running: false, has_stopped: false })
  })
})

it("a file with fresh=true needs a comparison of the last seconds, and otherwise begins one", async () => {
  const fetched = () => comparedPeriod(harness.deps, store.begin, { ...DAYS, isFresh: true })
  expect(await codeOf(fetched())).toBe("reconciliation_running")
  await store.ended()
  expect(await fetched()).toMatchObject([{ is_complete: true }])
  await harness.ledger.sql(
    "update mp_reconciliation set created_at = created_at - $1 * interval '1 ms'",
    [31 * SECOND],
  )
  expect(await codeOf(fetched())).toBe("reconciliation_running")
  await store.ended()
  expect(lists()).toBe(2)
})
