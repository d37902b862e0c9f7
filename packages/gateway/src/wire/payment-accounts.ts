/** `payment-accounts/create`: a wallet or card of a party (contract, 2b, 2c, 12, 15). */
import { z } from "zod"
import { idFrom, type Given, type PartyId, type PaymentAccountId } from "../terms/ids"
import { methodOf, type Call } from "../call"
import { writer, type Endpoint } from "../endpoint"
import { plainText } from "../plain-text"
import { ENUMS, type OperationType } from "./enums"
import * as field from "./fields"
import { inSnakeCase, otherThanRepeated, reader, type GatewayTime, type Wire } from "./reading"
import { kindOf } from "./unusual"

export type CreatePaymentAccountRequest = {
  /** The account's name for display. */
  readonly accountName: string
  /** The provider, exactly as the prediction returned it. */
  readonly provider: string
  /** The payment method, exactly as the prediction returned it. */
  readonly method: string
  /** To collect, it must be the source's party: with another one the execution answers 422. */
  readonly partyId: Given<PartyId>
  /** The account's country in ISO 3166-1, two letters. It is not the prediction's `country`. */
  readonly countryCode?: string | undefined
  /** The wallet's number, digits of E.164 without a plus. Left out for cards. */
  readonly phone?: string | undefined
  /** What the account is for. Default `COLLECTION`; `PAYOUT` for a recipient. */
  readonly operationType?: OperationType | undefined
}

export type PaymentAccount = {
  /** An integer here, text in executions; the client converts it. */
  readonly id: PaymentAccountId
  /** An execution can't use an inactive account. Not in every answer. */
  readonly isActive?: boolean
  readonly partyId: PartyId
  readonly method: string
  readonly provider: string
  readonly accountName?: string
  /** The account's country in ISO 3166-1, two letters. */
  readonly countryCode?: string
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
  readonly wire: Wire
}

const answerSchema = z.object({
  id: field.idOf<PaymentAccountId>(),
  party_id: field.optionalIdOf<PartyId>(),
  is_active: field.optionalFlag,
  method: field.optionalExact,
  provider: field.optionalExact,
  account_name: field.optionalText,
  country_code: field.optionalText,
  ...field.recordTimes,
})

const write = writer(
  z.object({
    accountName: field.text,
    provider: field.text,
    method: field.text,
    partyId: z.int().positive(),
    countryCode: field.countryCode.optional(),
    phone: field.phone.optional(),
    operationType: z.enum(ENUMS.OperationType).default("COLLECTION"),
  }),
  ({ operationType, phone, ...fields }) => ({
    query: { operation_type: operationType },
    body: { ...inSnakeCase(fields), insensitive_account_number: phone },
  }),
)

export const createPaymentAccount: Endpoint<CreatePaymentAccountRequest, PaymentAccount> = {
  operation: "paymentAccounts.create",
  write,
  writePlain: (request) =>
    write({ ...request, accountName: plainText(request.accountName, "Wallet") }),
  read: reader(answerSchema, (fields, wire, { partyId, method, provider }, context) => {
    if (fields.isActive === undefined) context.note?.("is_active", kindOf(wire["is_active"]))
    const own = { method: fields.method ?? method, provider: fields.provider ?? provider }
    const other = otherThanRepeated(wire, { party_id: partyId }, context)
    return other ?? { ...fields, ...own, partyId: idFrom(partyId), wire }
  }),
}

/** The wallets and cards that a party pays from or is paid to (contract, 12). */
export const paymentAccountsOf = (call: Call) => ({
  /**
   * Registers a wallet or a card, for collecting unless `operationType` says otherwise. A party can
   * use its wallet's account again; a card needs a new account for each attempt. No idempotency
   * key: the contract does not say whether a repeat fails or makes a second account. `refused` with
   * `Invalid`: method and provider do not fit each other, or `phone` is no phone number (contract,
   * 2b, 2c, 12 and 15).
   */
  create: methodOf(call, createPaymentAccount),
})
