/**
 * Kinds of foreign texts, by what was done to them. A row of the ledger, a page and an answer take
 * these and no plain `string` of the gateway's, so that a text that nobody has cleaned can't get
 * there: the compiler refuses it. `gateway/redact.ts` makes them.
 */
declare const kind: unique symbol

/** A named type, so that types inferred from it can be declared. */
export interface Kind<Name extends string> {
  readonly [kind]: { readonly [One in Name]: true }
}

/** For people: secrets and numbers masked, no control or direction characters, cut. */
export type CleanText = string & Kind<"clean">

/**
 * An id, number or code that is compared or sent back: as the gateway wrote it, which is one line
 * of visible characters. A text that is no such id is cleaned, and then it is nothing's id.
 */
export type ExactText = string & Kind<"exact">

/** A state, kind or role in one word: of a closed list, or cleaned and cut. */
export type StateWord = string & Kind<"word">

/** The state of an order or invoice. */
export type SourceWord = "IDLE" | "ACTIVE" | "PROCESSING" | "PAID" | "CANCELED" | StateWord

/** An http or https address, written by the parser: no userinfo, nothing that is not encoded. */
export type WebAddress = string & Kind<"address">

/** ISO 8601 in UTC, made from the gateway's text and not that text. */
export type Moment = string & Kind<"moment">

/** Decimal text of a number: digits, a sign and a point. */
export type DecimalText = string & Kind<"decimal">

/**
 * As the gateway wrote it, and for nothing but a comparison, or its reader: a name, a phone number,
 * a secret. No row takes it.
 */
export type PrivateText = string & Kind<"private">
