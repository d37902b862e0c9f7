/**
 * A refusal to make what is there already may name it. The contract shows no such answer, so only
 * what can't be anything else is read: a field that is named after the record, or a record of the
 * kind that was to be made. An `id` alone may be the error's.
 */
import type { ExistingRecord } from "./errors"
import type { OperationName } from "./operations"
import { isWire, type Wire } from "./wire/reading"

/** By the operation that makes them: names of the id, and what a record of the kind has. */
const KINDS: Partial<Record<OperationName, { ids: readonly string[]; has: readonly string[] }>> = {
  "paymentAccounts.create": { ids: ["payment_account_id"], has: ["party_id", "method"] },
  "parties.create": { ids: ["party_id"], has: ["fullname"] },
  "counterparties.create": { ids: ["counterparty_id"], has: ["relationship_type"] },
}

/** Where a body may hold the record, or the field that names it. */
const PLACES = ["detail", "data", "existing", "payment_account", "party", "counterparty", "ctx"]

/** @returns undefined where the body names none, or two */
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
