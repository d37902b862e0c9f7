/** What the example deployment's memory is made for; the figures measure it. */

const MB = 2 ** 20

/** Of a store on which nobody has a page open. */
export const STORE_BYTES_LIMIT = 512 * MB

/** Of one open stream of events whose browser reads; what it has not read comes on top. */
export const STREAM_BYTES_LIMIT = 60_000

/** Of the longest comparison that an admin may ask for, on the server that was asked. */
export const COMPARISON_BYTES_LIMIT = 700 * MB
