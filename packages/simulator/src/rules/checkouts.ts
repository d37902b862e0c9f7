/**
 * `checkouts/create`: makes party, counterparty and document in one call (contract notes, section
 * 2a), with the settings of the payment page.
 */
import type { Checkout, Document, SourceType } from "../book/records"
import { refused } from "../problem"
import type { World } from "../world"
import { stateOf } from "./documents"
import { addDocument, knownCurrency, mustBeCountable, newReference } from "./drafts"
import { newLine } from "./items"
import { billableCounterparty, matchedCounterparty } from "./parties"

export type CheckoutRequest = {
  mode: string
  source_kind: SourceType
  party_phone: string
  currency: string
  items: { name: string; currency: string; amount: number }[]
  party_name?: string | null
  party_email?: string | null
  party_relationship?: string | null
  reference_id?: string | null
  note?: string | null
  due_date?: string | null
  success_url?: string | null
  cancel_url?: string | null
  expires_at?: string | null
  counterparty_id?: number | null
}

/** Makes the source. Throws 422 for what the contract's schema can't express. */
export function createCheckout(world: World, ownerId: number, request: CheckoutRequest): Document {
  const { book, time, settings } = world
  const modes = settings.directMode === "refused" ? ["HOSTED"] : ["HOSTED", "DIRECT"]
  if (!modes.includes(request.mode)) {
    throw refused(["body", "mode"], `Mode must be ${modes.join(" or ")}`)
  }
  const currency = knownCurrency(request.currency)
  const lines = request.items.map((item, index) =>
    newLine(world, currency, { ...item, qty: 1 }, ["body", "items", index]),
  )
  mustBeCountable({ currency, lines }, "items")
  const successUrl = pageAddress("success_url", request.success_url)
  const cancelUrl = pageAddress("cancel_url", request.cancel_url)
  const referenceId = newReference(world, ownerId, request.reference_id)
  const nowMs = time.nowMs()
  return addDocument(world, {
    ownerId,
    type: request.source_kind,
    referenceId,
    counterpartyId: counterpartyFor(world, ownerId, request).id,
    currency,
    lines,
    note: request.note ?? "",
    feeBearer: settings.feeBearer,
    isPaymentLink: settings.checkoutsArePaymentLinks,
    dueDate: request.due_date ?? null,
    publishedAtMs: settings.newSourceStatus === "ACTIVE" ? nowMs : null,
    checkout: {
      configId: book.next("checkout"),
      mode: request.mode,
      successUrl,
      cancelUrl,
      expiresAtMs: expiryOf(world, request.expires_at),
    },
  })
}

/** Whether the source has a page of the gateway. */
export function hasPaymentPage(world: World, { checkout, isPaymentLink }: Document): boolean {
  if (isPaymentLink) return true
  return checkout !== null && (checkout.mode === "HOSTED" || world.settings.directMode === "page")
}

/**
 * Where the page sends the payer: the merchant's address, with parameters if that is set; null
 * without an address.
 */
export function returnAddress(
  world: World,
  document: Document,
  way: keyof Pick<Checkout, "successUrl" | "cancelUrl">,
): string | null {
  const address = document.checkout?.[way] ?? null
  if (address === null || !world.settings.addsReturnParameters) return address
  const url = new URL(address)
  url.searchParams.append("source_type", document.type)
  url.searchParams.append("source_number", document.number)
  url.searchParams.append("status", stateOf(world, document).status)
  return url.href
}

function expiryOf(world: World, expiresAt: string | null | undefined): number | null {
  if (expiresAt) return Date.parse(expiresAt)
  const { sourceLifeMs } = world.settings
  return sourceLifeMs === null ? null : world.time.nowMs() + sourceLifeMs
}

/** Only web addresses, because the hosted page links to them. */
function pageAddress(field: string, address: string | null | undefined): string | null {
  if (!address) return null
  const isWebAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
  if (!isWebAddress) throw refused(["body", field], "Not an http or https address")
  return address
}

function counterpartyFor(world: World, ownerId: number, request: CheckoutRequest) {
  const { counterparty_id: id } = request
  if (typeof id === "number") return billableCounterparty(world, ownerId, id)
  return matchedCounterparty(world, ownerId, {
    phone: request.party_phone,
    name: request.party_name ?? null,
    email: request.party_email ?? null,
    relationship: request.party_relationship ?? null,
  })
}
