/**
 * Finds the record that exists already in the gateway's refusal to make it again. The contract
 * shows no such answer, so only two unmistakable forms are read: a field named after the record, or
 * a whole record of the requested kind. A lone `id` may be the error's own id.
 */
import type { ExistingRecord } from "./errors"
import type { OperationName } from "./operations"
import { isWire, type Wire } from "./wire/reading"

/** For each creating operation: the names of the record's id, and fields that such a record has. */
const KINDS: Partial<Record<OperationName, { ids: readonly string[]; has: readonly string[] }>> = {
  "paymentAccounts.create": { ids: ["payment_account_id"], has: ["party_id", "method"] },
  "parties.create": { ids: ["party_id"], has: ["fullname"] },
  "counterparties.create": { ids: ["counterparty_id"], has: ["relationship_type"] },
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
  const found = placesIn(body).flatMap((place): ExistingRecord[] => {
    const isRecord = kind.has.every((name) => Object.hasOwn(place, name))
    const names = [...kind.ids, ...kind.ids.map((name) => `existing_${name}`)]
    const named = [...names, ...(isRecord ? ["id"] : [])].flatMap((name) => idIn(place, name))
    const [partyId] = operation === "paymentAccounts.create" ? idIn(place, "party_id") : []
    return named.map((id) => ({ id, ...(partyId !== undefined && { partyId }) }))
  })
  const [first] = found
  return found.every(({ id }) => id === first?.id) ? first : undefined
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
