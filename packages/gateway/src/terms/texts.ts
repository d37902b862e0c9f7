/**
 * Kinds of foreign texts, by how they were cleaned. A row of the ledger, a page and an answer take
 * these and no plain `string` of the gateway's: the compiler refuses a text that was not cleaned.
 * `redact.ts` makes them.
 */
declare const kind: unique symbol

/** A named type, so that types inferred from it can be declared. */
export interface Kind<Name extends string> {
  readonly [kind]: { readonly [One in Name]: true }
}

/** A text for people: secrets and numbers masked, no control or direction characters, cut. */
export type CleanText = string & Kind<"clean">

/**
 * An id, number or code that is compared or sent back: as the gateway wrote it, which is one line
 * of visible characters. Any other text is cleaned, and then it is no id of anything.
 */
export type ExactText = string & Kind<"exact">

/** A state, kind or role in one word: of a closed list, or cleaned and cut. */
export type StateWord = string & Kind<"word">

/** The state of an order or invoice. */
export type SourceWord = "IDLE" | "ACTIVE" | "PROCESSING" | "PAID" | "CANCELED" | StateWord

/** An http or https address, written by the parser: no userinfo, nothing that is not encoded. */
export type WebAddress = string & Kind<"address">

/** ISO 8601 in UTC, written anew from the gateway's text. */
export type Moment = string & Kind<"moment">

/** Decimal text of a number: digits, a sign and a point. */
export type DecimalText = string & Kind<"decimal">

/**
 * A name, a phone number or a secret as the gateway wrote it, only for a comparison or for its
 * reader. No row takes it.
 */
export type PrivateText = string & Kind<"private">
