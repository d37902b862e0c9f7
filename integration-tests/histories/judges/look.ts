/** What a judge of views is given, and in which words it tells. */
import type { OperationSummary } from "../../../src/review/schemas/operations"
import type { BookView } from "../../../packages/simulator/src/book/view"
import type { Cart } from "../../support/medusa-in-memory"
import type { Shown } from "../shown"
import type { Heard } from "../streams"
import type { Movement } from "../truth"
import type { Sent } from "./messages"

/** What was shown before, and must still hold. */
export type Told = {
  /** Sessions whose page said that it is paid. */
  readonly paid: Set<string>
  /** Refunds that an admin was told of as made, by Medusa's id. */
  readonly refunds: Set<string>
}

export const nothingTold = (): Told => ({ paid: new Set(), refunds: new Set() })

/** Draws one of so many, from 0. */
export type Dice = (sides: number) => number

/** By whoever looks, and what the gateway's book says meanwhile. */
export type Look = {
  readonly shown: Shown
  readonly told: Told
  /** By now, whenever it is asked. */
  readonly truth: readonly Movement[]
  /** The books of the gateways that have taken money. */
  readonly books: readonly BookView[]
  /** From the beginning of the history to now. */
  readonly span: { readonly from: Date; readonly to: Date }
  /** By payment session, what its page heard of the event stream; undefined: no page listens. */
  readonly heard: ReadonlyMap<string, readonly Heard[]> | undefined
  /** What Medusa has of the one purchase: by payment collection, one and those of more money. */
  readonly carts: ReadonlyMap<string, Cart>
  /** What people were told, in its order. */
  readonly messages: readonly Sent[]
  /** Whom a payment asked: the whole number, with a `+`. */
  phoneOf(row: Row): string
  readonly dice: Dice
  /** A page may ask the gateway for a comparison. */
  readonly compares: boolean
  /** How many are judged, drawn, where there are more: of rows and spans that each ask for a list. */
  readonly most: number
  /** Nothing is under way any more. */
  readonly isQuiet: boolean
  /** Nor is anything left to tidy, and all was told. */
  readonly isOver: boolean
  /** A backup was played back: the gateway has done more than anything here can show. */
  readonly hasLost: boolean
}

/** A promise to whoever looks. @returns a sentence for each time that it is broken */
export type Property = (look: Look) => Promise<readonly string[]>

export type Row = OperationSummary

export const idsOf = (rows: readonly { readonly id: string }[]): string[] =>
  rows.map(({ id }) => id)

export function differ(what: string, is: unknown, wanted: unknown): string[] {
  const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)]
  return one === other ? [] : [`${what} is ${one}, and should be ${other}`]
}

/** All of them, or so many of more, one after the other from a drawn place on. */
export function some<T>(all: readonly T[], dice: Dice, most: number): readonly T[] {
  if (all.length <= most) return all
  const from = dice(all.length)
  return [...all.slice(from), ...all.slice(0, from)].slice(0, most)
}

/** One of them, drawn; none of none. */
export const drawn = <T>(all: readonly T[], dice: Dice): T[] => {
  const [one] = all.slice(dice(Math.max(1, all.length)))
  return one === undefined ? [] : [one]
}
