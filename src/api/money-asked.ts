/** What a payout and a transfer have in common in a request. */
import { hostname } from "node:os"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import type { AdminId } from "../core/ids"
import { invalid } from "../core/refusal"
import type { MoneyAsked } from "../payouts/money-asked"
import type { PayoutRequest } from "../payouts/request-payout"
import { idempotencyKey, type MoneyOutBody, type PayoutBody } from "../payouts/schemas/payouts"
import { addressOf } from "./network"

type Asked = { readonly body: MoneyOutBody; readonly adminId: AdminId }

/** @throws Refusal `invalid_request` without an idempotency key, or with two that differ */
export function moneyAsked(
  { body, adminId }: Asked,
  request: AuthenticatedMedusaRequest,
): MoneyAsked {
  return {
    idempotencyKey: keyOf(request, body.idempotency_key),
    amount: body.amount,
    currency: body.currency,
    note: body.note ?? undefined,
    askedBy: adminId,
  }
}

/** The merchant's passcode, with the device that the gateway is told. */
export function passcodeAsked(
  body: PayoutBody,
  request: AuthenticatedMedusaRequest,
): PayoutRequest["passcode"] {
  return {
    token: {
      code: body.passcode,
      phone: body.passcode_phone ?? undefined,
      userId: body.passcode_user_id ?? undefined,
    },
    device: {
      name: hostname(),
      type: "SERVER",
      platform: "NODE",
      userAgent: `node/${process.versions.node}`,
      clientIp: addressOf(request),
    },
  }
}

/** The idempotency key in the body or in the header. If both are given, they must be equal. */
function keyOf(request: AuthenticatedMedusaRequest, inBody: string | undefined): string {
  const given = request.headers["idempotency-key"]
  const inHeader = given === undefined ? undefined : idempotencyKey.safeParse(given).data
  const found = inBody ?? inHeader
  const isOne = given === undefined || (inHeader !== undefined && inHeader === found)
  if (found !== undefined && isOne) return found
  throw invalid("idempotency_key", "idempotency_key")
}
