/**
 * What an answer means, whatever its form: for comparing what was read in one temper of the wire
 * with what was read in another. A gateway may leave a field out that the contract has; what it
 * does say has to be read the same.
 */

/** Of the form alone, or made anew in each run. */
const FORM = new Set(["wire", "otherFields", "statusSaid", "referenceId", "clientSecret"])
/** Said in other words by intent; no decision about money is made of them. */
const WORDING = new Set(["gatewayMessage", "walletMessage"])
/** A word that no list has is in flight, as the contract's own. */
const IN_FLIGHT = /^AWAITING_APPROVAL$/i
/** Random in each run, but for their presence. */
const MADE = /^(url|accessToken|token|expiresAt)$/

/** Without its form; moments are milliseconds. */
export function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOf)
  if (typeof value === "string") return momentOf(value) ?? value
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).filter(
    ([name, inner]) => inner !== undefined && !FORM.has(name) && !WORDING.has(name),
  )
  return Object.fromEntries(
    fields.map(([name, inner]) => [name, MADE.test(name) ? typeof inner : fieldOf(name, inner)]),
  )
}

function fieldOf(name: string, value: unknown): unknown {
  if (name === "status" && IN_FLIGHT.test(String(value).trim())) return "PROCESSING"
  // Decimal texts: 10 is 10.00.
  return name === "exact" || name === "fxFee" ? Number(value) : meaningOf(value)
}

/** Of what the tidy answer means, the fields that the other answer says as well. */
export function saidIn(other: unknown, tidy: unknown): unknown {
  return shared(meaningOf(other), meaningOf(tidy))
}

function shared(other: unknown, tidy: unknown): unknown {
  if (Array.isArray(tidy) && Array.isArray(other)) {
    return tidy.map((one, index) => shared(other[index], one))
  }
  if (!isRecord(tidy) || !isRecord(other)) return tidy
  const names = Object.keys(tidy).filter((name) => name in other || !MAY_LACK.has(name))
  return Object.fromEntries(names.map((name) => [name, shared(other[name], tidy[name])]))
}

/** What a live gateway may not say. Ids, states and totals are not among it. */
const MAY_LACK = new Set(["payerAmount", "payerCurrency", "isActive"])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?$/

/** The wire's moments are UTC, also where it does not say so. */
function momentOf(text: string): number | undefined {
  const [, zone] = DATE.exec(text) ?? []
  if (!DATE.test(text)) return undefined
  return Date.parse(zone === undefined ? `${text}Z` : text)
}
