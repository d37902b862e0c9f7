/** The one answer that all readers of the client figures read, and what they ask with. */

export const REFERENCE = "3f0c6f4e-7a53-4d62-9a51-0d9f2f0c1a11"
export const TOKEN = "bench-token"
export const STATUS_TEMPLATE = "/v1/status/collection/{reference_id}"
export const STATUS_PATH = STATUS_TEMPLATE.replace("{reference_id}", REFERENCE)
/** The same headers from every reader that lets them be set. */
export const HEADERS = {
  accept: "application/json",
  "user-agent": "medusa-plugin-merchant-payments",
  authorization: `Bearer ${TOKEN}`,
}

/** An execution with its documented fields (contract, 2b). */
export const EXECUTION = {
  reference_id: REFERENCE,
  status: "COMPLETED",
  operation_type: "COLLECTION",
  payer_amount: 1050.5,
  payer_currency: "LRD",
  payee_amount: "1000.00",
  payee_currency: "LRD",
  provider_transaction_id: "MP240101.1234.A12345",
  gateway_message: "Completed",
  wallet_message: null,
  requires_action: false,
  client_secret: null,
}
