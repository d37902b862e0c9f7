/** `merchants/merchant-info`: the merchant's profile at the gateway. */
import { z } from "zod"
import type { Given, MerchantId } from "../terms/ids"
import { methodOf, type Call } from "../call"
import { inQuery, type Endpoint } from "../endpoint"
import { ENUMS, type MerchantType } from "./enums"
import * as field from "./fields"
import { recordReader, type Wire } from "./reading"

export type MerchantInfoRequest = {
  /** The merchant's id, from the merchant portal. */
  readonly merchantId: Given<MerchantId>
  readonly merchantType: MerchantType
}

export type MerchantInfo = {
  readonly id: MerchantId
  readonly name: string
  /** The kind of merchant. Open: an unknown value is kept. */
  readonly type: MerchantType | (string & {})
  readonly email?: string
  /** The merchant's phone number, digits of E.164 without a plus. */
  readonly phone?: string
  readonly wire: Wire
}

const answerSchema = z.object({
  id: field.idOf<MerchantId>(),
  name: field.shownText,
  type: field.word(ENUMS.MerchantType),
  email: field.optionalPrivate,
  phone: field.optionalPrivate,
})

export const merchantInfo: Endpoint<MerchantInfoRequest, MerchantInfo> = {
  operation: "merchants.info",
  write: inQuery(
    z.object({ merchantId: z.int().positive(), merchantType: z.enum(ENUMS.MerchantType) }),
  ),
  read: recordReader(answerSchema, ({ merchantId: id, merchantType: type }) => ({ id, type })),
}

/** The merchant as the gateway knows it. */
export const merchantsOf = (call: Call) => ({
  /**
   * The merchant's profile. `unknown` also when the answer is about another merchant: the
   * credentials may belong to that one. `refused` with `NotFound` or `Forbidden`: the credentials
   * do not belong to this merchant (contract/openapi.json, getMerchantInfo).
   */
  info: methodOf(call, merchantInfo),
})
