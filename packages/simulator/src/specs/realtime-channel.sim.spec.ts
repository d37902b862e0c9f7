import { phoneEnding, readyToExecute, startBench, type Bench } from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

/** A payment that waits for its handset, and the key of its channel. */
async function followed() {
  const { execution } = await readyToExecute(bench, phoneEnding("42"))
  await bench.call("POST", "/v1/executions/collection", execution)
  const { session_id: sessionId, reference_id: reference } = execution
  const { body } = await bench.call("POST", "/v1/realtime-keys/collection", {
    session_id: Number(sessionId),
    source_type: "ORDER",
    reference_id: reference,
  })
  return {
    reference: String(reference),
    channel: `payment-intent:${String(sessionId)}:${String(reference)}`,
    key: String(body["access_token"]),
  }
}

const joined = (channel: string, key?: string) =>
  fetch(`${bench.simulator.url}/realtime?channel=${encodeURIComponent(channel)}`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  })

describe("the realtime channel", () => {
  test("tells each change of the payment's status, and ends with its key", async () => {
    const { reference, channel, key } = await followed()
    const response = await joined(channel, key)
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    bench.simulator.handset.approve({ reference })
    let text = ""
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.includes("event: change")) bench.clock.advance(300_000)
    }
    const told = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]): unknown =>
      JSON.parse(data ?? ""),
    )
    expect(told).toEqual([
      {
        schema: "public",
        table: "checkout_payment_intent_public_status",
        record: { reference_id: reference, status: "COMPLETED" },
      },
    ])
  })

  test("opens to nobody without its own key", async () => {
    const [one, other] = [await followed(), await followed()]
    expect((await joined(one.channel)).status).toBe(401)
    expect((await joined(one.channel, `${one.key}x`)).status).toBe(401)
    expect((await joined(one.channel, other.key)).status).toBe(403)
    bench.clock.advance(300_000)
    expect((await joined(one.channel, one.key)).status).toBe(401)
  })

  test("opens to no bearer token", async () => {
    const { channel } = await followed()
    const { body } = await bench.call(
      "POST",
      "/v1/jwt/client/obtain/token",
      { client_id: "simulator-client", client_secret: "simulator-secret" },
      {},
    )
    expect((await joined(channel, String(body["access_token"]))).status).toBe(401)
  })
})
