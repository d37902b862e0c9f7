/**
 * The merchant's own reference on a document at the gateway. The specification's rule for
 * `body.reference_id`, a UUID v4 that stands for no other payment, does not say whether it covers
 * documents as well; one UUID of each operation's own is right either way (contract, section 6).
 */

const UUID_V4 = /^mpop_([0-9a-f]{8})([0-9a-f]{4})(4[0-9a-f]{3})([89ab][0-9a-f]{3})([0-9a-f]{12})$/

/** @returns the UUID v4 that the operation's id is made of, lower case; another id as it is */
export function documentReference(operationId: string): string {
  return UUID_V4.exec(operationId)?.slice(1).join("-") ?? operationId
}
