/**
 * Ways to send money out over HTTP, for the simulator's own tests. Each way has its session and its
 * execution, so a shared rule is one table row per way.
 */
import {
  phoneEnding,
  readyToExecute,
  MINUTE_MS,
  type ApiResponse,
  type Bench,
  type Json,
} from "./client"

const PASSCODE = "246810"

/** The field of a refusal: the `loc` of its first item. */
export const fieldOf = ({ body }: ApiResponse): unknown => {
  const { detail } = body
  return Array.isArray(detail) ? (detail[0] as { loc: unknown } | undefined)?.loc : detail
}

export const soon = (bench: Bench): string => new Date(bench.clock.now() + MINUTE_MS).toISOString()

/** A completed collection. `phone` is the payer. */
export async function paid(
  bench: Bench,
  change: Json = {},
  phone: string = phoneEnding("00"),
): Promise<{ source: Json; execution: Json; answer: Json; intentId: number }> {
  bench.simulator.plan({ outcome: "approve", times: 1 })
  const ready = await readyToExecute(bench, phone, change)
  const { body: answer } = await bench.call("POST", "/v1/executions/collection", ready.execution)
  return { ...ready, answer, intentId: Number(answer["payment_intent_id"]) }
}

export type WayOut = "payout" | "transfer" | "refund"
export const WAYS_OUT: readonly WayOut[] = ["payout", "transfer", "refund"]

export const OPERATION_TYPES = { payout: "PAYOUT", transfer: "TRANSFER", refund: "REFUND" } as const

/** The body of the session call, for 10.00 USD to `phone`. */
export async function sessionRequest(
  bench: Bench,
  way: WayOut,
  phone: string = phoneEnding("00"),
): Promise<Json> {
  if (way === "refund") {
    const { intentId } = await paid(bench, {}, phone)
    return { original_payment_intent_id: intentId, amount: 10, expires_at: soon(bench) }
  }
  const { source } = await readyToExecute(bench, phone)
  if (way === "payout") {
    const account = await payoutAccount(bench, source, phone)
    return { payout_account_id: account["id"], amount: 10, currency: "USD" }
  }
  return {
    from_wallet_id: walletIn(bench, "USD").id,
    to_counterparty_id: source["counterparty_id"],
    amount: 10,
    currency: "USD",
    expires_at: soon(bench),
  }
}

export const payoutAccount = async (
  { call }: Bench,
  { party_id: partyId }: Json,
  phone: string = phoneEnding("00"),
): Promise<Json> => {
  const { body } = await call("POST", "/v1/payment-accounts/create?operation_type=PAYOUT", {
    account_name: "Recipient",
    provider: "MOBILE_MONEY_GATEWAY",
    method: "OPERATOR1_MOMO_LBR",
    party_id: partyId,
    insensitive_account_number: phone,
  })
  return body
}

/** The merchant's wallet. */
export function walletIn({ simulator }: Bench, currency: string, ownerId = 1) {
  const found = simulator.book
    .wallets()
    .find((wallet) => wallet.ownerId === ownerId && wallet.currency === currency)
  if (!found) throw new Error(`There is no wallet in ${currency}.`)
  return found
}

export const openSession = (bench: Bench, way: WayOut, request: Json): Promise<ApiResponse> =>
  bench.call("POST", `/v1/sessions/${way}`, request)

/** The body of the execution call for a session answer. */
export const executionOf = (
  way: WayOut,
  session: Json,
  reference: string = crypto.randomUUID(),
): Json => ({
  session_id: String(session["id"]),
  reference_id: reference,
  ...(way === "payout"
    ? {
        payout_account_id: String(session["payout_account_id"]),
        passcode: passcodeOf(PASSCODE),
      }
    : {}),
})

export const passcodeOf = (code: string): Json => ({
  token: { code, phone: phoneEnding("00") },
  device: {
    name: "server-1",
    type: "SERVER",
    platform: "NODE",
    user_agent: "tests",
    client_ip: "192.0.2.1",
  },
})

export const execute = (bench: Bench, way: WayOut, body: Json): Promise<ApiResponse> =>
  bench.call("POST", `/v1/executions/${way}`, body)

export const statusOf = ({ call }: Bench, way: WayOut, body: Json): Promise<ApiResponse> =>
  call("GET", `/v1/status/${way}/${String(body["reference_id"])}`)

/** Opens the session and returns the execution body, ready to be sent. */
export async function readyToSend(bench: Bench, way: WayOut, phone?: string): Promise<Json> {
  const request = await sessionRequest(bench, way, phone)
  const { body: session } = await openSession(bench, way, request)
  return executionOf(way, session)
}
