import { model } from "@medusajs/framework/utils"

/**
 * `mp_operation`, for reading. Writes go through the ledger's statements alone: they keep state and
 * event together. Amounts in smallest units are text here, because they are exact.
 */
const MpOperation = model.define("mp_operation", {
  id: model.id({ prefix: "mpop" }).primaryKey(),
  type: model.enum(["COLLECTION", "REFUND", "PAYOUT", "TRANSFER"]),
  state: model.enum([
    "drafted",
    "submitted",
    "in_flight",
    "completed",
    "failed",
    "expired",
    "review",
  ]),
  surplus: model.boolean().default(false),
  flow: model.enum(["push", "hosted", "card", "link"]),
  account_id: model.text(),
  provider_id: model.text().nullable(),
  payment_collection_id: model.text().nullable(),
  payment_session_id: model.text().nullable(),
  cart_id: model.text().nullable(),
  order_id: model.text().nullable(),
  currency_code: model.text(),
  amount_minor: model.text(),
  payment_method: model.text().nullable(),
  carrier: model.text().nullable(),
  phone_hint: model.text().nullable(),
  reference: model.text().nullable(),
  reason: model.text().nullable(),
  next_check_at: model.dateTime().nullable(),
  recorded_at: model.dateTime().nullable(),
  returned_at: model.dateTime().nullable(),
})

export default MpOperation
