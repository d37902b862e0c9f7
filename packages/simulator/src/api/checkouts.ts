/** `checkouts/create`: the answer's form is the contract's `CheckoutSourceResponse`. */
import type { Document } from "../book/records"
import { iso } from "../clock"
import { wireAmount } from "../money"
import { createCheckout, hasPaymentPage, type CheckoutRequest } from "../rules/checkouts"
import { partyOf, stateOf, totalOf } from "../rules/documents"
import { requireVerified } from "../rules/gates"
import type { World } from "../world"
import { operation } from "./operation"

export const createCheckoutSource = operation<CheckoutRequest>(
  "createCheckoutSource",
  ({ world, ownerId, body }) => {
    // Hosted pages need a verified merchant (contract notes, section 1).
    if (body.mode === "HOSTED") requireVerified(world, ownerId)
    return checkoutAnswer(world, createCheckout(world, ownerId, body))
  },
)

function checkoutAnswer(world: World, document: Document) {
  const { checkout } = document
  if (!checkout) throw new Error("A checkout source has a checkout.")
  const total = totalOf(document)
  const path = hasPaymentPage(world, document) ? `pay/${document.token}` : null
  return {
    mode: checkout.mode,
    source_type: document.type,
    source_id: document.id,
    source_number: document.number,
    source_status: stateOf(world, document).status,
    counterparty_id: document.counterpartyId,
    party_id: partyOf(world, document).id,
    currency: document.currency,
    total_amount: wireAmount(total),
    source_checkout_config_id: checkout.configId,
    url: path === null ? "" : `${world.publicUrl()}/${path}`,
    reference_id: document.referenceId,
    due_date: document.dueDate,
    expires_at: checkout.expiresAtMs === null ? null : iso(checkout.expiresAtMs),
    hosted_path_or_token: path,
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
  }
}
