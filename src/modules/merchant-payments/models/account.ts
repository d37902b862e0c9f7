import { model } from "@medusajs/framework/utils"

/** `mp_account`: how one merchant account at the gateway is used. */
const MpAccount = model.define("mp_account", {
  id: model.id({ prefix: "mpacc" }).primaryKey(),
  label: model.text(),
  base_url: model.text(),
  source_kind: model.enum(["ORDER", "INVOICE"]).default("ORDER"),
  fee_bearer: model.enum(["PAYER", "PAYEE"]).nullable(),
  order_placement: model.enum(["pay_first", "order_first"]).default("pay_first"),
  currencies: model.array(),
  wire_names: model.json().default({}),
  push_window_minutes: model.number().default(30),
  hosted_window_minutes: model.number().default(60),
  checks_per_second_max: model.number().default(20),
  policies: model.json().default({}),
  is_default: model.boolean().default(false),
})

export default MpAccount
