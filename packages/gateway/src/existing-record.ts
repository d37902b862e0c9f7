/**
 * Finds the record that exists already in the gateway's refusal to make it again. The contract
 * shows no such answer, so only two unmistakable forms are read: a field named after the record, or
 * a whole record of the requested kind. A lone `id` may be the error's own id.
 */
import { idFrom, type CounterpartyId, type PartyId, type PaymentAccountId } from "./terms/ids"
import type { ExistingRecord } from "./errors"
import type { OperationName } from "./operations"
import { isWire, type Wire } from "./wire/reading"

type Kind = {
  /** The name of the record's id. */
  readonly idName: string
  /** Fields that such a record has. */
  readonly has: readonly string[]
  made(id: number): ExistingRecord
}

const KINDS: Partial<Record<OperationName, Kind>> = {
  "paymentAccounts.create": {
    idName: "payment_account_id",
    has: ["party_id", "method"],
    made: (id) => ({ paymentAccountId: idFrom<PaymentAccountId>(id) }),
  },
  "parties.create": {
    idName: "party_id",
    has: ["fullname"],
    made: (id) => ({ partyId: idFrom<PartyId>(id) }),
  },
  "counterparties.create": {
    idName: "counterparty_id",
    has: ["relationship_type"],
    made: (id) => ({ counterpartyId: idFrom<CounterpartyId>(id) }),
  },
}

/** Fields of the body that may hold the record, or the id that names it. */
const PLACES = ["detail", "data", "existing", "payment_account", "party", "counterparty", "ctx"]

/** @returns undefined if the body names no record, or two different ones */
export function existingRecordIn(
  operation: OperationName,
  body: unknown,
): ExistingRecord | undefined {
  const kind = KINDS[operation]
  if (!kind) return undefined
  const found = placesIn(body).flatMap((place) => {
    const isRecord = kind.has.every((name) => Object.hasOwn(place, name))
    const names = [kind.idName, `existing_${kind.idName}`, ...(isRecord ? ["id"] : [])]
    const [partyId] = idIn(place, "party_id")
    const owner =
      partyId === undefined || operation !== "paymentAccounts.create"
        ? {}
        : { partyId: idFrom<PartyId>(partyId) }
    return names
      .flatMap((name) => idIn(place, name))
      .map((id) => ({ id, record: { ...kind.made(id), ...owner } }))
  })
  const [first] = found
  return found.every(({ id }) => id === first?.id) ? first?.record : undefined
}

function placesIn(body: unknown): Wire[] {
  if (!isWire(body)) return []
  const inner = PLACES.flatMap((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      if (!isWire(one)) return []
      const { ctx } = one
      return isWire(ctx) ? [one, ctx] : [one]
    })
  })
  return [body, ...inner]
}

function idIn(place: Wire, name: string): number[] {
  const value = Object.hasOwn(place, name) ? place[name] : undefined
  const id = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? [id] : []
}
