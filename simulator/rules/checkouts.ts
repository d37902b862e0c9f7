/**
 * `checkouts/create`: party, counterparty and document in one call (contract notes, section 2a).
 * The party is matched by its phone number, the counterparty by party and relationship.
 */
import type { Counterparty, Document, Line, Party, SourceType } from "../book/records"
import { isCurrency, minorFromWire, type Currency } from "../money"
import { refused } from "../problem"
import type { World } from "../world"

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

const MODES = ["HOSTED", "DIRECT"]
const TOKEN_LENGTH = 32
const NUMBER_DIGITS = 5

/** Makes the source. Throws 422 for what the contract's schema cannot express. */
export function createCheckout(world: World, ownerId: number, request: CheckoutRequest): Document {
  const { book, time, random, settings } = world
  if (!MODES.includes(request.mode)) {
    throw refused(["body", "mode"], "Mode must be HOSTED or DIRECT")
  }
  const currency = knownCurrency(request.currency)
  const lines = request.items.map((item, index) => lineOf(world, currency, item, index))
  const successUrl = pageAddress("success_url", request.success_url)
  const cancelUrl = pageAddress("cancel_url", request.cancel_url)
  const counterparty = counterpartyFor(world, ownerId, request)
  const nowMs = time.nowMs()
  const id = book.next("document")
  return book.addDocument({
    ownerId,
    createdAtMs: nowMs,
    id,
    type: request.source_kind,
    number: documentNumber(request.source_kind, nowMs, id),
    referenceId: request.reference_id ?? null,
    counterpartyId: counterparty.id,
    currency,
    lines,
    note: request.note ?? "",
    feeBearer: settings.feeBearer,
    isPaymentLink: false,
    dueDate: request.due_date ?? null,
    publishedAtMs: settings.newSourceStatus === "ACTIVE" ? nowMs : null,
    canceledAtMs: null,
    checkout: {
      configId: book.next("checkout"),
      mode: request.mode,
      token: random.hex(TOKEN_LENGTH),
      successUrl,
      cancelUrl,
      expiresAtMs: request.expires_at ? Date.parse(request.expires_at) : null,
    },
  })
}

function knownCurrency(code: string): Currency {
  if (isCurrency(code)) return code
  throw refused(["body", "currency"], "Currency is not supported")
}

function lineOf(
  world: World,
  currency: Currency,
  item: CheckoutRequest["items"][number],
  index: number,
): Line {
  if (item.currency !== currency) {
    throw refused(["body", "items", index, "currency"], "Line and source differ in currency")
  }
  const unitMinor = minorFromWire(item.amount, currency)
  if (unitMinor === null) {
    throw refused(["body", "items", index, "amount"], `Not an amount in ${currency}`)
  }
  return { id: world.book.next("line"), name: item.name, qty: 1, unitMinor }
}

/** Only web addresses: the hosted page links to them. */
function pageAddress(field: string, address: string | null | undefined): string | null {
  if (!address) return null
  const isWebAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
  if (!isWebAddress) throw refused(["body", field], "Not an http or https address")
  return address
}

function counterpartyFor(world: World, ownerId: number, request: CheckoutRequest): Counterparty {
  if (request.counterparty_id) {
    const existing = world.book.counterparties.get(request.counterparty_id)
    if (existing?.ownerId === ownerId) return existing
    throw refused(["body", "counterparty_id"], "Counterparty not found")
  }
  const party = partyFor(world, ownerId, request)
  const relationship = request.party_relationship ?? "CUSTOMER"
  const known = world.book
    .counterpartiesOf(party.id)
    .find((counterparty) => counterparty.relationship === relationship)
  if (known) return known
  return world.book.addCounterparty({
    ownerId,
    createdAtMs: world.time.nowMs(),
    id: world.book.next("counterparty"),
    partyId: party.id,
    relationship,
  })
}

function partyFor(world: World, ownerId: number, request: CheckoutRequest): Party {
  const existing = world.book.partyByPhone(ownerId, request.party_phone)
  if (existing) return existing
  return world.book.addParty({
    ownerId,
    createdAtMs: world.time.nowMs(),
    id: world.book.next("party"),
    name: request.party_name ?? request.party_phone,
    phone: request.party_phone,
    email: request.party_email ?? null,
  })
}

const documentNumber = (type: SourceType, nowMs: number, id: number): string => {
  const year = new Date(nowMs).getUTCFullYear()
  const prefix = type === "INVOICE" ? "INV" : "ORD"
  return `${prefix}-${year}-${String(id).padStart(NUMBER_DIGITS, "0")}`
}
