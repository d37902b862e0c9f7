/** Open pages are sent every change of their payments, with one statement for all pages. */
import { paymentBoard, type PaymentBoard } from "../../../src/checkout/live/payment-board"
import type { Status } from "../../../src/checkout/schemas/status"
import { LIMITS } from "../../../src/core/limits"
import { majorText } from "../../../src/core/money"
import type { MedusaOperation } from "../../../src/core/operation"
import { systemIds, type Clock } from "../../../src/core/ports"
import { advanced, startLedgerDatabase, submitted } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"
import { newSession } from "../../support/medusa-in-memory"
import { testBox } from "../../support/test-box"

let ledger: LedgerDatabase
let board: PaymentBoard
let statements = 0
let fails = false
let cannotSleep = false
const warnings: string[] = []

/** Sleeps until the test lets the next turn begin. */
let begin: () => void = () => undefined
let nowMs = 0
const clock: Clock = {
  now: () => new Date(),
  monotonicMs: () => nowMs,
  sleep(ms) {
    if (!cannotSleep) return new Promise((resolve) => (begin = () => ((nowMs += ms), resolve())))
    cannotSleep = false
    return Promise.reject(new Error("no timer"))
  },
}
const silent = () => undefined
const logger = {
  debug: silent,
  info: silent,
  error: silent,
  warn: (line: string) => void warnings.push(line),
}

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

beforeEach(() => {
  const database: LedgerDatabase["database"] = {
    query: (...asked) => {
      statements += 1
      if (fails) return Promise.reject(new Error("the database is away"))
      return ledger.database.query(...asked)
    },
  }
  const settings = { storefrontOrigins: [], publicUrl: "http://localhost:4101" }
  board = paymentBoard({ database, clock, logger, box: testBox, ids: systemIds, settings })
})

afterAll(() => ledger.stop())

/** @returns how many statements the turn made */
async function turn(): Promise<number> {
  const before = statements
  const began = begin
  began()
  // The next sleep begins once the turn is over.
  while (begin === began) await new Promise((resolve) => setImmediate(resolve))
  return statements - before
}

function open({ paymentSessionId: sessionId, paymentCollectionId: collectionId }: MedusaOperation) {
  const sent: Status[] = []
  const leave = board.watch(
    { sessionId, paymentCollectionId: collectionId, payable: undefined, isLoggedIn: false },
    (status) => sent.push(status),
  )
  return { sent, leave }
}

describe("payments on screen", () => {
  it("are read with one statement per turn, however many pages are open", async () => {
    const [one, ...others] = await Promise.all(
      Array.from({ length: 20 }, () => submitted(ledger.database)),
    )
    if (!one) throw new Error("no payment")
    const pages = [...Array.from({ length: 500 }, () => open(one)), ...others.map(open)]
    expect(await turn()).toBe(1)
    expect(pages.map(({ sent }) => sent.length)).toEqual(pages.map(() => 1))
    expect(await turn()).toBe(1)
    await advanced(ledger.database, one, { event: "see", code: "execution_reads" })
    expect(await turn()).toBe(1)
    expect(pages.filter(({ sent }) => sent.length === 2)).toHaveLength(500)
    for (const { leave } of pages) leave()
  })

  it("keep their mark of a shopper on screen, which takes the place of one reading", async () => {
    const operation = await submitted(ledger.database)
    const { leave } = open(operation)
    const turns = LIMITS.waitingRefreshMs / LIMITS.streamsReadEveryMs
    for (let passed = 0; passed <= turns; passed += 1) expect(await turn()).toBe(1)
    const [row] = await ledger.sql("select waiting from mp_operation where id = $1", [operation.id])
    expect(row?.["waiting"]).toBe(true)
    leave()
  })

  it("are sent to their pages once the database answers again, and the log has one line about it", async () => {
    const operation = await submitted(ledger.database)
    const { sent, leave } = open(operation)
    fails = true
    await turn()
    await turn()
    fails = false
    expect(warnings).toHaveLength(1)
    expect(sent).toHaveLength(0)
    await turn()
    expect(sent).toHaveLength(1)
    leave()
  })

  it("[B28] leave a page of another session ready again once they have failed", async () => {
    const operation = await submitted(ledger.database)
    const { paymentCollectionId, providerId, amount } = operation
    const later = newSession(paymentCollectionId, providerId, majorText(amount))
    const sent: Status[] = []
    const subject = { paymentCollectionId, payable: later, isLoggedIn: false }
    const leave = board.watch({ ...subject, sessionId: later.id }, (one) => sent.push(one))
    await turn()
    await advanced(ledger.database, operation, { event: "fail", code: "execution_reads" })
    await turn()
    expect(sent.map(({ id, state }) => [id, state])).toEqual([
      [later.id, "waiting_for_payer"],
      [later.id, "ready"],
    ])
    leave()
  })

  it("are sent to their pages after a pause between two statements has failed", async () => {
    const operation = await submitted(ledger.database)
    cannotSleep = true
    const { sent, leave } = open(operation)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await turn()).toBe(1)
    expect(sent).toHaveLength(1)
    leave()
  })

  it("are sent to their pages after another page of the same payment was closed twice", async () => {
    const operation = await submitted(ledger.database)
    const first = open(operation)
    first.leave()
    const second = open(operation)
    first.leave()
    expect(await turn()).toBe(1)
    expect(second.sent).toHaveLength(1)
    second.leave()
  })
})
