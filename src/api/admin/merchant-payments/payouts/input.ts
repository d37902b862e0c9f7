/** Parses what admins send about payouts and transfers, and makes the routes that read both. */
import { hostname } from "node:os"
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import { type CounterpartyId, idFrom, type WalletId } from "../../../../core/ids"
import { LIMITS } from "../../../../core/limits"
import { STATES } from "../../../../core/operation"
import { invalid, invalidAs } from "../../../../core/refusal"
import type { MoneyAsked } from "../../../../payouts/money-asked"
import type { PayoutRequest } from "../../../../payouts/request-payout"
import type { TransferRequest } from "../../../../payouts/request-transfer"
import { payoutView, readPayout } from "../../../../payouts/payout-view"
import { listPayouts, type PayoutType } from "../../../../payouts/sql/find-payouts"
import { operationIdIn } from "../../../admin-validators"
import { addressOf } from "../../../network"
import { adminRoute } from "../../../respond"
import { phone } from "../../../shape"
import { parsed } from "../../../validators"

const key = z.string().regex(/^[\x21-\x7e]{8,200}$/, invalidAs("idempotency_key"))
const gatewayId = z.int().positive(invalidAs("positive"))

const money = {
  idempotency_key: key.optional(),
  amount: z.union([z.number(), z.string().min(1).max(64)]),
  currency: z.string().length(3),
  note: z.string().trim().min(1).max(500).nullish(),
}

const payoutBody = z.object({
  ...money,
  name: z.string().trim().min(1).max(100),
  phone,
  country_code: z.string().length(2).nullish(),
  passcode: z
    .string()
    .min(4)
    .max(64)
    .regex(/^[\x21-\x7e]+$/, invalidAs("printable")),
  passcode_phone: z
    .string()
    .regex(/^[1-9]\d{7,14}$/, invalidAs("digits"))
    .nullish(),
  passcode_user_id: z.string().min(1).max(100).nullish(),
})

const transferBody = z.object({
  ...money,
  from_wallet_id: gatewayId.transform((id) => idFrom<WalletId>(id)),
  to_counterparty_id: gatewayId.transform((id) => idFrom<CounterpartyId>(id)),
})

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMITS.listPageMax).default(20),
  offset: z.coerce.number().int().min(0).max(LIMITS.listCountMax).default(0),
  state: z
    .string()
    .max(200)
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(STATES)).min(1))
    .optional(),
})

/** @throws Refusal `invalid_request` */
export function payoutRequest(request: AuthenticatedMedusaRequest): PayoutRequest {
  const body = parsed(payoutBody, request.body)
  return {
    ...moneyOf(request, body),
    name: body.name,
    phone: body.phone,
    countryCode: body.country_code ?? undefined,
    passcode: {
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
    },
  }
}

/** @throws Refusal `invalid_request` */
export function transferRequest(request: AuthenticatedMedusaRequest): TransferRequest {
  const body = parsed(transferBody, request.body)
  return {
    ...moneyOf(request, body),
    fromWalletId: body.from_wallet_id,
    toCounterpartyId: body.to_counterparty_id,
  }
}

export const listRoute = (type: PayoutType, name: "payouts" | "transfers") =>
  adminRoute(async ({ database }, request) => {
    const { limit, offset, state: states } = parsed(listQuery, request.query)
    const { payouts, count } = await listPayouts(database, { type, states, limit, offset })
    return { [name]: payouts.map(payoutView), count, limit, offset }
  })

export const oneRoute = (type: PayoutType, name: "payout" | "transfer") =>
  adminRoute(async (deps, request) => ({
    [name]: payoutView(await readPayout(deps, type, operationIdIn(request.params))),
  }))

function moneyOf(
  request: AuthenticatedMedusaRequest,
  body: z.output<z.ZodObject<typeof money>>,
): MoneyAsked {
  return {
    idempotencyKey: keyOf(request, body.idempotency_key),
    amount: body.amount,
    currency: body.currency,
    note: body.note ?? undefined,
    askedBy: idFrom(request.auth_context.actor_id),
  }
}

/** The idempotency key in the body or in the header. If both are given, they must be equal. */
function keyOf(request: AuthenticatedMedusaRequest, inBody: string | undefined): string {
  const given = request.headers["idempotency-key"]
  const inHeader = given === undefined ? undefined : key.safeParse(given).data
  const found = inBody ?? inHeader
  const isOne = given === undefined || (inHeader !== undefined && inHeader === found)
  if (found !== undefined && isOne) return found
  throw invalid("idempotency_key", "idempotency_key")
}
