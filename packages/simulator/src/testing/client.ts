/**
 * A plain client of the API for the simulator's own tests: a driven clock, a token, JSON both ways.
 */
import { startSimulator, type Simulator, type SimulatorOptions } from "../index"

export const MINUTE_MS = 60_000
/** 2026-01-01, the start of every test. */
const START_MS = Date.UTC(2026, 0, 1)

export type Json = Record<string, unknown>
export type ApiResponse = { status: number; body: Json }

export type Bench = {
  simulator: Simulator
  clock: { now(): number; advance(ms: number): void }
  /** Makes one call with the bench's token, unless `headers` say otherwise. */
  call(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<ApiResponse>
  close(): Promise<void>
}

/**
 * A strict simulator on a free port, with a token.
 *
 * @param read how the text of an answer is read; by default as JSON
 */
export async function startBench(
  options: SimulatorOptions = {},
  read: (text: string) => Json = (text) => JSON.parse(text) as Json,
): Promise<Bench> {
  let nowMs = START_MS
  const clock = { now: () => nowMs, advance: (ms: number) => void (nowMs += ms) }
  const simulator = await startSimulator({
    port: 0,
    seed: "1",
    isStrict: true,
    tokenLifeMinutes: 7 * 24 * 60, // so that a test may advance the clock by days
    clock,
    ...options,
  })
  let token = ""
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: HeadersInit = { authorization: `Bearer ${token}` },
  ) => {
    const response = await fetch(`${simulator.url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: read(await response.text()) }
  }
  const { body } = await call("POST", "/v1/jwt/client/obtain/token", credentialsOf(options), {})
  token = String(body["access_token"])
  simulator.resetCalls()
  return { simulator, clock, call, close: () => simulator.close() }
}

export const credentialsOf = ({ clientId, clientSecret }: SimulatorOptions) => ({
  client_id: clientId ?? "simulator-client",
  client_secret: clientSecret ?? "simulator-secret",
})

/** A phone of Liberia's first operator that ends in these two digits. */
export const phoneEnding = (twoDigits: string): string => `2317700000${twoDigits}`

export const checkoutRequest = (change: Json = {}): Json => ({
  mode: "HOSTED",
  source_kind: "ORDER",
  party_phone: phoneEnding("00"),
  party_name: "Ada",
  currency: "USD",
  items: [
    { name: "T-shirt × 2", currency: "USD", amount: 39.98 },
    { name: "Shipping", currency: "USD", amount: 2.52 },
  ],
  reference_id: "cart_1",
  ...change,
})

/**
 * Makes everything that an execution needs, over HTTP. `execution` is the body of the call to come.
 * Whatever the temper of the wire is, the requests are as the contract says.
 */
export async function readyToExecute(
  { call }: Bench,
  phone: string,
  change: Json = {},
  reference: string = crypto.randomUUID(),
): Promise<{ source: Json; execution: Json }> {
  const { body: source } = await call(
    "POST",
    "/v1/checkouts/create",
    checkoutRequest({ party_phone: phone, ...change }),
  )
  const { body: session } = await call("POST", "/v1/sessions/checkout", {
    source_id: Number(source["source_id"]),
    source_type: change["source_kind"] ?? "ORDER",
  })
  const { body: operator } = await call(
    "GET",
    `/v1/predictions/mmo-provider-info?phone=${phone}&operation_type=COLLECTION`,
  )
  const { body: account } = await call(
    "POST",
    "/v1/payment-accounts/create?operation_type=COLLECTION",
    {
      account_name: "Wallet of Ada",
      provider: operator["gateway_provider"],
      method: operator["payment_method"],
      party_id: Number(source["party_id"]),
      insensitive_account_number: phone,
    },
  )
  const execution = {
    session_id: String(session["id"]),
    payment_account_id: String(account["id"]),
    currency: String(source["currency"]).toUpperCase(),
    reference_id: reference,
  }
  return { source, execution }
}

export const sourceStatus = async ({ call }: Bench, source: Json): Promise<Json> => {
  const { source_type: type, source_id: id } = source
  return (await call("GET", `/v1/status/source?source_type=${type}&source_id=${id}`)).body
}

export const collectionStatus = async ({ call }: Bench, execution: Json): Promise<Json> =>
  (await call("GET", `/v1/status/collection/${execution["reference_id"]}`)).body
