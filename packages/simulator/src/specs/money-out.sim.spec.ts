import { MINUTE_MS, phoneEnding, readyToExecute, startBench, type Bench } from "../testing/client"
import {
  execute,
  executionOf,
  fieldOf,
  openSession,
  OPERATION_TYPES,
  readyToSend,
  sessionRequest,
  soon,
  statusOf,
  walletIn,
  WAYS_OUT,
  type WayOut,
} from "../testing/money-out"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const restarted = async (options: Parameters<typeof startBench>[0]) => {
  await bench.close()
  bench = await startBench(options)
}
const refusal = async (call: ReturnType<typeof execute>) => {
  const answer = await call
  return [answer.status, fieldOf(answer)]
}
const bookOf = (way: WayOut) => {
  const { book } = bench.simulator
  return { payout: book.payouts, transfer: book.transfers, refund: book.refunds }[way]()
}

describe.each(WAYS_OUT)("a %s", (way) => {
  const ready = (phone?: string) => readyToSend(bench, way, phone)

  test("is PROCESSING, then COMPLETED, and moves its money once", async () => {
    const execution = await ready()
    const { status, body } = await execute(bench, way, execution)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: "PROCESSING",
      operation_type: OPERATION_TYPES[way],
      payer_amount: 10,
      payee_amount: 10,
    })
    bench.clock.advance(3_000)
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: "COMPLETED" })
    expect(bookOf(way)).toMatchObject([{ moves: 1, amount: "10.00", timesCalled: 1 }])
  })

  test("is one movement and the same answer when its call is repeated", async () => {
    const execution = await ready()
    const first = await execute(bench, way, execution)
    expect(await execute(bench, way, execution)).toEqual(first)
    bench.clock.advance(MINUTE_MS)
    expect(bookOf(way)).toMatchObject([{ moves: 1, timesCalled: 2 }])
    expect(walletIn(bench, "USD").reserved).toBe("0.00")
  })

  test("refuses a reference that stands for another payment of the same kind", async () => {
    const [first, second] = [await ready(), await ready()]
    await execute(bench, way, first)
    const reused = { ...second, reference_id: first["reference_id"] }
    expect(await refusal(execute(bench, way, reused))).toEqual([422, ["body", "reference_id"]])
    expect(bookOf(way)).toHaveLength(1)
  })

  test("refuses the reference of a collection", async () => {
    const collection = await readyToExecute(bench, phoneEnding("00"))
    await bench.call("POST", "/v1/executions/collection", collection.execution)
    const reused = { ...(await ready()), reference_id: collection.execution["reference_id"] }
    expect(await refusal(execute(bench, way, reused))).toEqual([422, ["body", "reference_id"]])
  })

  test("lends its reference to no collection", async () => {
    const execution = await ready()
    await execute(bench, way, execution)
    const collection = await readyToExecute(bench, phoneEnding("00"))
    const reused = { ...collection.execution, reference_id: execution["reference_id"] }
    const answer = await bench.call("POST", "/v1/executions/collection", reused)
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "reference_id"]])
  })

  test("refuses a repeat when set so", async () => {
    await restarted({ repeatedExecution: "REFUSE" })
    const execution = await ready()
    await execute(bench, way, execution)
    expect(await refusal(execute(bench, way, execution))).toEqual([422, ["body", "reference_id"]])
  })

  test("has a session that is executed once", async () => {
    const execution = await ready()
    await execute(bench, way, execution)
    const again = { ...execution, reference_id: crypto.randomUUID() }
    expect(await refusal(execute(bench, way, again))).toEqual([422, ["body", "session_id"]])
  })

  test("has a session that expires", async () => {
    const execution = await ready()
    bench.clock.advance(15 * MINUTE_MS)
    expect(await refusal(execute(bench, way, execution))).toEqual([422, ["body", "session_id"]])
    expect((await statusOf(bench, way, execution)).status).toBe(404)
  })

  test.each((["checkout", ...WAYS_OUT] as const).filter((of) => of !== way))(
    "is executed with a session of its type, not %s",
    async (of) => {
      const other =
        of === "checkout"
          ? (await readyToExecute(bench, phoneEnding("00"))).execution
          : await readyToSend(bench, of)
      const execution = { ...(await ready()), session_id: other["session_id"] }
      expect(await refusal(execute(bench, way, execution))).toEqual([422, ["body", "session_id"]])
      expect(bookOf(way)).toEqual([])
    },
  )

  test.each([
    ["an unknown session", { session_id: "1" }, "session_id"],
    ["a session that is no number", { session_id: "1e4" }, "session_id"],
    ["a reference that is no UUID v4", { reference_id: "cart_1" }, "reference_id"],
  ])("is refused for %s", async (_, change, field) => {
    const execution = { ...(await ready()), ...change }
    expect(await refusal(execute(bench, way, execution))).toEqual([422, ["body", field]])
  })

  test.each([
    ["an amount of nothing", { amount: 0 }],
    ["less than the currency can express", { amount: 10.001 }],
  ])("is not asked for %s", async (_, change) => {
    const request = await sessionRequest(bench, way)
    const answer = await openSession(bench, way, { ...request, ...change })
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "amount"]])
  })

  test("answers 404 to a status read of another kind or of an unknown reference", async () => {
    const execution = await ready()
    expect((await statusOf(bench, way, execution)).status).toBe(404)
    await execute(bench, way, execution)
    for (const other of ["collection", ...WAYS_OUT].filter((one) => one !== way)) {
      const path = `/v1/status/${other}/${String(execution["reference_id"])}`
      expect((await bench.call("GET", path)).status).toBe(404)
    }
  })

  test("answers 422 to a status read of an unknown reference when set so", async () => {
    await restarted({ unknownReference: 422 })
    const answer = await statusOf(bench, way, { reference_id: crypto.randomUUID() })
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["path", "reference_id"]])
  })

  test.each(["RESTRICTED", "FROZEN", "CLOSED"] as const)("leaves no %s wallet", async (state) => {
    const execution = await ready()
    bench.simulator.backOffice.setWalletState(walletIn(bench, "USD").id, state)
    expect(await refusal(execute(bench, way, execution))).toEqual([422, ["body", "session_id"]])
    expect(bookOf(way)).toEqual([])
    bench.simulator.backOffice.setWalletState(walletIn(bench, "USD").id, "ACTIVE")
    expect((await execute(bench, way, execution)).status).toBe(200)
  })

  test("is refused for want of money, by the smallest unit", async () => {
    const execution = await ready()
    const { id, available } = walletIn(bench, "USD")
    bench.simulator.backOffice.deposit(id, -(Number(available) - 9.99))
    expect(await refusal(execute(bench, way, execution))).toEqual([422, ["body", "session_id"]])
    bench.simulator.backOffice.deposit(id, 0.01)
    expect((await execute(bench, way, execution)).status).toBe(200)
    expect(walletIn(bench, "USD")).toMatchObject({ reserved: "10.00", available: "0.00" })
  })

  test("looks at the wallet when its session is opened, when set so", async () => {
    await restarted({ walletChecks: "SESSION" })
    const request = await sessionRequest(bench, way)
    bench.simulator.backOffice.setWalletState(walletIn(bench, "USD").id, "FROZEN")
    expect((await openSession(bench, way, request)).status).toBe(422)
  })

  test("that fails gives its money back to the wallet", async () => {
    bench.simulator.plan({
      operationType: OPERATION_TYPES[way],
      outcome: "decline",
      afterMs: 1_000,
    })
    const execution = await ready()
    const { available } = walletIn(bench, "USD")
    await execute(bench, way, execution)
    expect(walletIn(bench, "USD")).toMatchObject({ balance: available, reserved: "10.00" })
    bench.clock.advance(1_000)
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: "FAILED" })
    expect(walletIn(bench, "USD")).toMatchObject({
      available,
      balance: available,
      reserved: "0.00",
    })
    expect(bookOf(way)).toMatchObject([{ moves: 0 }])
  })

  test.each([
    ["pending", ["PENDING", "PENDING", "PENDING"]],
    ["pending_then_approve", ["PENDING", "PROCESSING", "COMPLETED"]],
    ["never", ["PROCESSING", "PROCESSING", "PROCESSING"]],
    ["approve", ["PROCESSING", "PROCESSING", "COMPLETED"]],
    ["insufficient_funds", ["PROCESSING", "PROCESSING", "FAILED"]],
    ["decline_then_approve", ["PROCESSING", "PROCESSING", "FAILED"]],
  ] as const)("follows the plan %s", async (outcome, expected) => {
    bench.simulator.plan({ operationType: OPERATION_TYPES[way], outcome, afterMs: 2_000 })
    const execution = await ready()
    const seen = [(await execute(bench, way, execution)).body["status"]]
    for (const stepMs of [1_000, 1_000]) {
      bench.clock.advance(stepMs)
      seen.push((await statusOf(bench, way, execution)).body["status"])
    }
    expect(seen).toEqual(expected)
  })

  test("that had failed turns out completed a minute later", async () => {
    bench.simulator.plan({ operationType: OPERATION_TYPES[way], outcome: "decline_then_approve" })
    const execution = await ready()
    expect((await execute(bench, way, execution)).body).toMatchObject({ status: "FAILED" })
    bench.clock.advance(MINUTE_MS)
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: "COMPLETED" })
    expect(bookOf(way)).toMatchObject([{ moves: 1, status: "COMPLETED" }])
  })

  test("is carried out though its answer is cut, when planned so", async () => {
    const operationType = OPERATION_TYPES[way]
    bench.simulator.plan({ operationType, outcome: "approve", cutsAnswer: true, times: 1 })
    const execution = await ready()
    await expect(execute(bench, way, execution)).rejects.toThrow()
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: "COMPLETED" })
    expect((await execute(bench, way, execution)).status).toBe(200)
    expect(bookOf(way)).toMatchObject([{ moves: 1, timesCalled: 2 }])
  })

  test.each([
    ["91", 3_000, "PROCESSING", "FAILED"],
    ["92", 3_000, "PROCESSING", "FAILED"],
    ["94", 240_000, "PROCESSING", "COMPLETED"],
    ["95", 86_400_000, "PROCESSING", "PROCESSING"],
    ["97", 63_000, "FAILED", "COMPLETED"],
    ["98", 86_400_000, "PENDING", "PENDING"],
    ["03", 3_000, "PROCESSING", "COMPLETED"],
  ])("to a number ending in %s reads, around %d ms: %s, %s", async (...row) => {
    const [ending, atMs, before, after] = row
    const execution = await ready(phoneEnding(ending))
    await execute(bench, way, execution)
    bench.clock.advance(atMs - 1)
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: before })
    bench.clock.advance(1)
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: after })
  })

  test("that hangs is ended by the back office, once", async () => {
    bench.simulator.plan({ operationType: OPERATION_TYPES[way], outcome: "never" })
    const execution = await ready()
    await execute(bench, way, execution)
    const path = `/_simulator/money-out/${String(execution["reference_id"])}/settle`
    const ended = await bench.call("POST", path, { status: "COMPLETED" })
    expect(ended.body).toMatchObject({ status: "COMPLETED", moves: 1 })
    expect((await statusOf(bench, way, execution)).body).toMatchObject({ status: "COMPLETED" })
    expect((await bench.call("POST", path, { status: "FAILED" })).status).toBe(422)
  })

  test("is out of reach for another merchant", async () => {
    const other = { ownerId: 2, clientId: "other", clientSecret: "secret", name: "Other" }
    await restarted({ merchants: [other] })
    const execution = await ready()
    const credentials = { client_id: other.clientId, client_secret: other.clientSecret }
    const token = await bench.call("POST", "/v1/jwt/client/obtain/token", credentials, {})
    const headers = { authorization: `Bearer ${String(token.body["access_token"])}` }
    const path = `/v1/executions/${way}`
    const stolen = await bench.call("POST", path, execution, headers)
    expect([stolen.status, fieldOf(stolen)]).toEqual([422, ["body", "session_id"]])
    await execute(bench, way, execution)
    const repeated = await bench.call("POST", path, execution, headers)
    expect([repeated.status, fieldOf(repeated)]).toEqual([422, ["body", "reference_id"]])
    const status = `/v1/status/${way}/${String(execution["reference_id"])}`
    expect((await bench.call("GET", status, undefined, headers)).status).toBe(404)
  })

  test("is forbidden before the merchant is verified: session and execution", async () => {
    const request = await sessionRequest(bench, way)
    const { body: session } = await openSession(bench, way, request)
    bench.simulator.backOffice.setVerified(1, false)
    const closed = { status: 403, body: { detail: "Merchant account is not verified" } }
    expect(await openSession(bench, way, request)).toEqual(closed)
    expect(await execute(bench, way, executionOf(way, session))).toEqual(closed)
    expect((await bench.call("GET", "/v1/orders/list")).status).toBe(200)
    bench.simulator.backOffice.setVerified(1, true)
    expect((await execute(bench, way, executionOf(way, session))).status).toBe(200)
  })
})

describe.each(["transfer", "refund"] as const)("the session of a %s", (way) => {
  test("ends when its caller chose", async () => {
    const request = await sessionRequest(bench, way)
    const expiresAt = soon(bench)
    const { body: session } = await openSession(bench, way, { ...request, expires_at: expiresAt })
    expect(session).toMatchObject({ status: "ACTIVE", expires_at: expiresAt })
    bench.clock.advance(MINUTE_MS - 1)
    expect((await execute(bench, way, executionOf(way, session))).status).toBe(200)
  })

  test("may not end in the past, nor now", async () => {
    const request = await sessionRequest(bench, way)
    const now = new Date(bench.clock.now()).toISOString()
    const answer = await openSession(bench, way, { ...request, expires_at: now })
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "expires_at"]])
  })

  test("may not last longer than set", async () => {
    await restarted({ longestSessionMs: MINUTE_MS - 1 })
    const request = await sessionRequest(bench, way)
    const answer = await openSession(bench, way, request)
    expect([answer.status, fieldOf(answer)]).toEqual([422, ["body", "expires_at"]])
  })
})

test("a plan of one type serves no other", async () => {
  bench.simulator.plan({ operationType: "REFUND", outcome: "decline" })
  bench.simulator.plan({ outcome: "pending" })
  const execution = await readyToSend(bench, "payout")
  await execute(bench, "payout", execution)
  bench.clock.advance(3_000)
  expect((await statusOf(bench, "payout", execution)).body).toMatchObject({ status: "COMPLETED" })
})

test("nobody is asked on a handset where money goes", async () => {
  const plan = { operationType: "REFUND", outcome: "handset" }
  expect((await bench.call("POST", "/_simulator/plans", plan)).status).toBe(400)
})
