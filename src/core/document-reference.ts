/**
 * The merchant's own reference on a document at the gateway. The specification's rule for
 * `body.reference_id`, a UUID v4 that stands for no other payment, does not say whether it covers
 * documents as well; one UUID of each operation's own is right either way (contract, section 6).
 */

const OPERATION_ID =
  /^mpop_([0-9a-f]{8})([0-9a-f]{4})(4[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** @returns the UUID v4 that the operation's id is made of, lower case; another id as it is */
export function documentReference(operationId: string): string {
  return OPERATION_ID.exec(operationId)?.slice(1).join("-") ?? operationId
}

/**
 * The other way round. Anybody may write a UUID onto a document of the merchant's, so an id that
 * comes out is one that an operation could have, not one that it has.
 *
 * @returns undefined for a reference that no operation's document carries
 */
export function operationIdOf(reference: string): string | undefined {
  const text = reference.toLowerCase()
  if (UUID_V4.test(text)) return `mpop_${text.replaceAll("-", "")}`
  return text.startsWith("mpop_") ? reference : undefined
}
