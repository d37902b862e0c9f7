/** The lines of a cart or an order as a payment names them. Their totals are Medusa's own. */
import type { BigNumberValue } from "@medusajs/framework/types"
import type { MedusaBasket } from "../../engine/medusa-port"

type Line = {
  readonly title?: string | null
  readonly product_title?: string | null
  readonly quantity?: BigNumberValue | null
  readonly total?: BigNumberValue | null
}

/** The fields that a cart and an order have in common. */
export type Basket = {
  readonly items?: readonly (Line | null)[] | null
  readonly shipping_methods?:
    | readonly ({ readonly name?: string | null; readonly total?: BigNumberValue | null } | null)[]
    | null
  readonly total?: BigNumberValue | null
}

export type BasketLines = Pick<MedusaBasket, "positions" | "total">

export function linesOf(basket: Basket): BasketLines {
  return {
    positions: [
      ...present(basket.items).map((item) => ({
        title: titleOf(item),
        quantity: Number(item.quantity ?? 1),
        total: amountText(item.total),
      })),
      ...present(basket.shipping_methods).map((method) => ({
        title: method.name ?? "Shipping",
        quantity: 1,
        total: amountText(method.total),
      })),
    ],
    total: amountText(basket.total),
  }
}

export const titleOf = ({ product_title: product, title }: Line) => product ?? title ?? "Item"

/** Medusa's amounts are numbers or its own big numbers; both print as exact decimals. */
export function amountText(amount: BigNumberValue | null | undefined): string {
  return amount === null || amount === undefined ? "0" : String(amount)
}

export function present<T>(list: readonly (T | null)[] | null | undefined): T[] {
  return (list ?? []).filter((entry): entry is T & {} => entry !== null)
}
