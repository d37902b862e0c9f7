/** The merchant's profile. Another merchant's, or the wrong type, answers 404. */
import { notFound } from "../problem"
import { merchantOf } from "../rules/merchants"
import { operation } from "./operation"

type MerchantQuery = { merchant_id: number; merchant_type: string }

export const getMerchantInfo = operation<undefined, MerchantQuery>(
  "getMerchantInfo",
  ({ world, ownerId, query }) => {
    const { name, type, email, phone } = merchantOf(world, ownerId)
    if (query.merchant_id !== ownerId || query.merchant_type !== type) throw notFound("Merchant")
    return { id: ownerId, name, type, email, phone }
  },
)
