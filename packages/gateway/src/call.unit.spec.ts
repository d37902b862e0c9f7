/** What holds for every call: its bounds, its reports, and the end of the client. */
import { bench, closeBenches } from "../../../integration-tests/gateway/bench"
import { callOf, CALLS } from "../../../integration-tests/gateway/calls"
import { hang, json, token } from "../../../integration-tests/gateway/scripted-server"

afterEach(closeBenches)

describe("what the caller may ask for", () => {
  const execute = callOf("executions.collection")

  it("an abort ends the wait; what was sent stays sent", async () => {
    const controller = new AbortController()
    const { gateway } = await bench({ answers: [() => controller.abort()] })
    expect(await execute.run(gateway, { signal: controller.signal })).toMatchObject({
      kind: "unknown",
      error: { code: "GATEWAY_INDETERMINATE", reason: "aborted" },
    })
  })

  it("a signal that is already aborted sends nothing", async () => {
    const { server, gateway } = await bench({})
    expect(await execute.run(gateway, { signal: AbortSignal.abort() })).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_INVALID", fields: [{ path: "signal" }] },
    })
    expect(server.tokenCalls).toHaveLength(0)
  })

  it("an abort during a pause ends it with what is known", async () => {
    const controller = new AbortController()
    const { gateway } = await bench({
      answers: [
        (response, request) => {
          json(500, {})(response, request)
          response.on("finish", () => setImmediate(() => controller.abort()))
        },
      ],
    })
    const outcome = await callOf("status.source").run(gateway, { signal: controller.signal })
    expect(outcome).toMatchObject({ kind: "unknown" })
  })

  it.each([0, -1, Number.NaN])("a deadline of %p sends nothing", async (deadlineMs) => {
    const { server, gateway } = await bench({})
    expect(await execute.run(gateway, { deadlineMs })).toMatchObject({
      kind: "not_sent",
      error: { reason: "deadline" },
    })
    expect(await gateway.token.check({ deadlineMs })).toMatchObject({
      kind: "not_sent",
      error: { reason: "deadline" },
    })
    expect(server.calls).toHaveLength(0)
  })

  it("no deadline at all is still a deadline, and a long one does not fire at once", async () => {
    const { gateway } = await bench({ answers: [json(200, execute.body)] })
    expect((await execute.run(gateway, { deadlineMs: Number.POSITIVE_INFINITY })).kind).toBe("done")
  })

  it("a request that can't be right is not sent and names its field", async () => {
    const { server, gateway } = await bench({})
    expect(await gateway.status.collection("nonsense")).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_INVALID", fields: [{ path: "referenceId" }] },
    })
    expect(await gateway.predictions.mmoProviderInfo({ phone: "+231770000001" })).toMatchObject({
      kind: "not_sent",
      error: { fields: [{ path: "phone" }] },
    })
    expect(server.tokenCalls).toHaveLength(0)
  })
})

describe("the client", () => {
  it("[N30] reports each call once, and a broken listener changes nothing", async () => {
    const calls: unknown[] = []
    const call = callOf("status.source")
    const { gateway } = await bench(
      { answers: [json(200, call.body), json(404, { detail: "none" })] },
      {
        onCall: (report) => {
          calls.push(report)
          throw new Error("metrics are down")
        },
      },
    )
    await call.run(gateway)
    await call.run(gateway)
    expect(calls).toEqual([
      { operation: "status.source", ms: expect.any(Number), kind: "done", status: 200 },
      {
        status: 404,
        operation: "status.source",
        ms: expect.any(Number),
        kind: "refused",
        code: "GATEWAY_NOT_FOUND",
      },
    ])
  })

  it("answers in spite of a logger that throws and of a listener that rejects", async () => {
    const warnings: string[] = []
    const broken = (text: string) => {
      warnings.push(text)
      throw new Error("the disk is full")
    }
    const rejects: () => unknown = () => Promise.reject(new Error("metrics are down"))
    const { gateway } = await bench(
      { answers: [json(200, {})] },
      {
        logger: { debug: broken, info: broken, warn: broken, error: broken },
        onCall: rejects,
      },
    )
    expect(await callOf("executions.collection").run(gateway)).toMatchObject({ kind: "unknown" })
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toHaveLength(2)
    expect(warnings[1]).toBe("executions.collection: onCall threw")
  })

  it("warns of an answer that is none of this API, without its content", async () => {
    const warnings: string[] = []
    const ignore = () => undefined
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (text: string) => void warnings.push(text),
    }
    const { gateway } = await bench(
      { answers: [json(200, { state: "CANARY-status" })] },
      { logger },
    )
    await callOf("status.collection").run(gateway)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain("status")
    expect(warnings[0]).not.toContain("CANARY")
  })

  it("keeps its connections: calls one after the other do not make more of them", async () => {
    const call = callOf("status.source")
    const { server, gateway } = await bench({ answers: [json(200, call.body)] })
    for (let turn = 0; turn < 20; turn++) await call.run(gateway)
    // The pool may open a second connection while the token call still holds the first.
    expect(server.openSockets()).toBeLessThanOrEqual(2)
  })

  it("closes after what is under way, leaves no socket, and sends nothing afterwards", async () => {
    let release: (() => void) | undefined
    const call = callOf("executions.collection")
    const { server, gateway } = await bench({
      answers: [
        (response, request) => {
          release = () => json(200, call.body)(response, request)
          closing = gateway.close()
          setImmediate(() => release?.())
        },
      ],
    })
    let closing: Promise<void> | undefined
    expect((await call.run(gateway)).kind).toBe("done")
    await closing
    for (const each of CALLS) {
      expect(await each.run(gateway)).toMatchObject({
        kind: "not_sent",
        error: { code: "GATEWAY_UNREACHABLE", reason: "closed" },
      })
    }
    expect(server.calls).toHaveLength(1)
    await gateway.close()
  })

  it("is closed only after a call that still waits for its token", async () => {
    const call = callOf("executions.collection")
    let closing: Promise<void> | undefined
    const { gateway } = await bench({
      answers: [json(200, call.body)],
      tokens: [
        (response, request) => {
          closing = gateway.close()
          setImmediate(() => token("late")(response, request))
        },
      ],
    })
    expect((await call.run(gateway)).kind).toBe("done")
    await closing
  })

  it("can be closed while a token is being waited for", async () => {
    const { gateway } = await bench({ tokens: [hang] })
    const check = gateway.token.check()
    await gateway.close()
    expect((await check).kind).toBe("unknown")
  })

  it.each([
    ["clientId", { clientId: " " }],
    ["clientSecret", { clientSecret: "" }],
    ["baseUrl", { baseUrl: "http://api.example.com" }],
  ])("is not made with a bad %s", async (field, change) => {
    await expect(bench({}, change)).rejects.toMatchObject({ code: "INVALID_CONFIGURATION", field })
  })
})
