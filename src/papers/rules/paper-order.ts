/** What the receipt needs of Medusa's order. Amounts are Medusa's own, as unrounded decimal text. */
import type { OrderId } from "../../core/ids"

export type PaperOrder = {
  readonly id: OrderId
  /** The number by which people know the order. */
  readonly number: string | null
  /** ISO 8601 in UTC. */
  readonly placedAt: string | null
  readonly isCanceled: boolean
  readonly currency: string
  /** Before refunds, which Medusa takes off its own total; they stand by themselves. */
  readonly total: string
  /** The tax in `total`. */
  readonly tax: string
  /** What `total` is less by, with its tax. */
  readonly discount: string
  /** What the order still asks for; below zero: what the shop owes. */
  readonly openAmount: string
  /** The part of `total` for items that are to come back and have not arrived. */
  readonly returning: string
  readonly items: readonly PaperPosition[]
  readonly deliveries: readonly PaperPosition[]
  /** What is taken off `total` beside the items, such as a gift card. Above zero. */
  readonly credits: readonly string[]
  readonly customerName: string | null
  readonly address: PaperAddress | null
  /** Payments by other providers than ours. */
  readonly otherPayments: readonly OtherPayment[]
}

export type PaperPosition = {
  readonly name: string
  readonly quantity: number
  /** With tax, after discount, for all pieces. */
  readonly total: string
}

export type PaperAddress = {
  readonly lines: readonly string[]
  /** ISO 3166, two letters, upper case. */
  readonly country: string | null
}

export type OtherPayment = {
  readonly captured: string
  readonly refunded: string
  /** ISO 8601 in UTC. */
  readonly at: string | null
}
