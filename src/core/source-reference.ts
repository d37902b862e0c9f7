/**
 * The merchant's own reference on a source at the gateway. The rule for `body.reference_id`, a UUID
 * v4 of no other payment, may cover sources or not: that is not specified. A UUID of each
 * operation's own is right either way (contract, 6).
 */
import { validate, version } from "uuid"
import { idFrom, type OperationId } from "./ids"

/** Whether the gateway takes this text for a reference. */
const isUuidV4 = (text: string): boolean => validate(text) && version(text) === 4

const PREFIX = "mpop_"

/** @returns the UUID v4 of which the operation's id is made, lower case; any other id as it is */
export function sourceReference(operationId: OperationId): string {
  const digits = /^mpop_(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(operationId)
  const uuid = digits?.slice(1).join("-") ?? ""
  return isUuidV4(uuid) ? uuid : operationId
}

/**
 * The id of the operation that a source's reference names. Any program may write a UUID onto a
 * source, so there may be no operation with this id.
 *
 * @returns undefined for a reference that no operation's source carries
 */
export function operationIdOf(reference: string): OperationId | undefined {
  const text = reference.toLowerCase()
  if (isUuidV4(text)) return idFrom<OperationId>(`${PREFIX}${text.replaceAll("-", "")}`)
  return text.startsWith(PREFIX) ? idFrom<OperationId>(reference) : undefined
}

/** So many digits at the end of an id are the store's mark: a keyed digest of those before. */
const MARK_DIGITS = 8

/** A keyed digest as base64url, whose key another store does not have. */
type Digest = (text: string) => string

const markOf = (digits: string, digest: Digest): string =>
  Buffer.from(digest(`source ${digits}`), "base64url")
    .toString("hex")
    .slice(0, MARK_DIGITS)

/**
 * An operation's id with the store's mark, so that the store knows its document among those of
 * another store, even if a restored database has lost the operation.
 */
export function markedOperationId(uuid: string, digest: Digest): OperationId {
  const digits = uuid.replaceAll("-", "").slice(0, -MARK_DIGITS)
  return idFrom(`${PREFIX}${digits}${markOf(digits, digest)}`)
}

/** Whether the reference names an operation that was made with this store's mark. */
export function isMarked(reference: string, digest: Digest): boolean {
  const digits = operationIdOf(reference)?.slice(PREFIX.length) ?? ""
  return digits.slice(-MARK_DIGITS) === markOf(digits.slice(0, -MARK_DIGITS), digest)
}
