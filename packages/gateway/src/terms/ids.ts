/**
 * The gateway's ids that can be mistaken for one another, each as a type of its own. To the
 * compiler a plain number is no id, and a party's id is no wallet's. At runtime they are plain texts
 * and numbers. The plugin makes types of its own ids with {@link TextId}.
 */
declare const brand: unique symbol

/** Filled by `integration-tests/support/literal-ids.ts`: tests may write an id as a literal. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Literals {}

/** Interfaces, so that types inferred from an id can be declared. */
export interface Branded<Name extends string> {
  readonly [brand]: Name
}
export interface Told<Name extends string> {
  readonly [brand]?: Name
}
type Named<Name extends string> = keyof Literals extends never ? Branded<Name> : Told<Name>

export type TextId<Name extends string> = string & Named<Name>
export type NumberId<Name extends string> = number & Named<Name>

/** The UUID v4 under which an operation's money moves: the gateway's key for doing it once. */
export type Reference = TextId<"reference">
/** The gateway's number of an order or an invoice. */
export type SourceId = NumberId<"source">
export type GatewaySessionId = NumberId<"gateway session">
export type PaymentIntentId = NumberId<"payment intent">
export type PartyId = NumberId<"party">
export type CounterpartyId = NumberId<"counterparty">
export type PaymentAccountId = NumberId<"payment account">
export type WalletId = NumberId<"wallet">
/** The merchant, in its role as the owner of what the credentials reach. */
export type MerchantId = NumberId<"merchant">
/** Of a line of an order or an invoice. */
export type SourceItemId = NumberId<"source item">

/**
 * What a call of the gateway's client takes, which also works alone: a plain number or text, but no
 * other thing's id.
 */
export type Given<I> =
  I extends TextId<infer Name>
    ? string & Told<Name>
    : I extends NumberId<infer Name>
      ? number & Told<Name>
      : never

/** Makes an id of what an edge of the system has read. */
export function idFrom<I extends string>(read: string): I
export function idFrom<I extends number>(read: number): I
export function idFrom(read: string | number): string | number {
  return read
}
