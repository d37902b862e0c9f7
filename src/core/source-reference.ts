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
