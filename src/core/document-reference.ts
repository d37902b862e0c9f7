/**
 * The merchant's own reference on a source at the gateway. The rule for `body.reference_id`, a UUID
 * v4 of no other payment, may cover sources or not: that is not specified. A UUID of each
 * operation's own is right either way (contract, 6).
 */

const OPERATION_ID =
  /^mpop_([0-9a-f]{8})([0-9a-f]{4})(4[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** @returns the UUID v4 of which the operation's id is made, lower case; any other id as it is */
export function documentReference(operationId: string): string {
  return OPERATION_ID.exec(operationId)?.slice(1).join("-") ?? operationId
}

/**
 * The id of the operation that a source's reference names. Any program may write a UUID onto a
 * source, so there may be no operation with this id.
 *
 * @returns undefined for a reference that no operation's source carries
 */
export function operationIdOf(reference: string): string | undefined {
  const text = reference.toLowerCase()
  if (UUID_V4.test(text)) return `mpop_${text.replaceAll("-", "")}`
  return text.startsWith("mpop_") ? reference : undefined
}
