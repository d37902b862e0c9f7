/** Reads Medusa's order and store for the customer's receipt, through Medusa's query engine. */
import type { BigNumberValue, MedusaContainer, OrderDTO } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { idFrom, type OrderId } from "../../core/ids"
import { decimalSum } from "../../core/money"
import { flowOfProvider } from "../../core/flows"
import type { PaperSource } from "../../papers/read-receipt"
import type { OtherPayment, PaperAddress, PaperOrder } from "../../papers/rules/paper-order"
import { amountText, present } from "./basket-lines"

const FIELDS = [
  "id",
  "display_id",
  "status",
  "canceled_at",
  "created_at",
  "currency_code",
  "total",
  "tax_total",
  "discount_total",
  "summary",
  "items.*",
  "items.detail.*",
  "items.tax_lines.*",
  "items.adjustments.*",
  "shipping_methods.*",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "credit_lines.*",
  "shipping_address.*",
  "billing_address.*",
  "customer.first_name",
  "customer.last_name",
  "payment_collections.payments.provider_id",
  "payment_collections.payments.captured_at",
  "payment_collections.payments.captures.amount",
  "payment_collections.payments.refunds.amount",
]

type Person = { readonly first_name?: string | null; readonly last_name?: string | null }

type Payment = {
  readonly provider_id: string
  readonly captured_at?: unknown
  readonly captures?: readonly { readonly amount: BigNumberValue }[] | null
  readonly refunds?: readonly { readonly amount: BigNumberValue }[] | null
}

type ReadOrder = OrderDTO & {
  readonly customer?: Person | null
  readonly payment_collections?: readonly {
    readonly payments?: readonly (Payment | null)[] | null
  }[]
  readonly credit_lines?: readonly (CreditLine | null)[] | null
}

type CreditLine = {
  readonly amount: BigNumberValue
  readonly reference?: string | null
  readonly reference_id?: string | null
}
type RefundReason = { readonly label: string; readonly code: string }

export function paperSource(container: MedusaContainer): PaperSource {
  const query = () => container.resolve(ContainerRegistrationKeys.QUERY)
  const refundReasons = async () => {
    const { data } = await query().graph({ entity: "refund_reason", fields: ["label", "code"] })
    return data as RefundReason[]
  }
  return {
    async paperOrder(orderId) {
      const filters = { id: orderId }
      const { data } = await query().graph({ entity: "order", fields: FIELDS, filters })
      const order = data[0] as ReadOrder | undefined
      if (!order) return undefined
      const hasCredits = present(order.credit_lines).length > 0
      return paperOrder(order, hasCredits ? await refundReasons() : [])
    },
    async shopName() {
      const { data } = await query().graph({ entity: "store", fields: ["name"] })
      const [store] = data as { readonly name?: string | null }[]
      return store?.name?.trim() || null
    },
  }
}

function paperOrder(order: ReadOrder, reasons: readonly RefundReason[]): PaperOrder {
  const lines = present(order.credit_lines)
  const ofRefunds = lines.filter((line) => isOfRefund(line, reasons))
  const total = [order.total, ...ofRefunds.map(({ amount }) => amount)].map(amountText)
  const { display_id: number, shipping_address: shipping, billing_address: billing } = order
  return {
    id: idFrom<OrderId>(order.id),
    number: number ? String(number) : null,
    placedAt: isoOf(order.created_at),
    isCanceled: order.status === "canceled" || Boolean(order.canceled_at),
    currency: order.currency_code,
    total: decimalSum(total) ?? amountText(order.total),
    tax: amountText(order.tax_total),
    discount: amountText(order.discount_total),
    openAmount: amountText(order.summary?.pending_difference),
    returning: decimalSum(present(order.items).map(returningOf)) ?? "0",
    items: present(order.items).map((item) => ({
      name: nameOf(item),
      quantity: keptOf(item),
      total: amountText(item.total),
    })),
    deliveries: present(order.shipping_methods).map((method) => ({
      name: method.name ?? "",
      quantity: 1,
      total: amountText(method.total),
    })),
    credits: lines
      .filter((line) => !ofRefunds.includes(line))
      .map(({ amount }) => amountText(amount)),
    customerName: personOf(shipping) ?? personOf(order.customer) ?? personOf(billing),
    address: shipping ? addressOf(shipping) : null,
    otherPayments: (order.payment_collections ?? [])
      .flatMap(({ payments }) => present(payments))
      .flatMap(otherPayment),
  }
}

/**
 * Medusa takes a refund off the order's total, by a credit line that names the payment collection or
 * the refund's reason; the job's own line names the refund (`medusa-refund-queries.ts`).
 */
function isOfRefund(line: CreditLine, reasons: readonly RefundReason[]): boolean {
  if (line.reference === "refund" || line.reference === "payment_collection") return true
  return reasons.some(({ label, code }) => label === line.reference && code === line.reference_id)
}

type Item = NonNullable<OrderDTO["items"]>[number]

/** The product with its variant, unless that only repeats the product or is Medusa's usual one. */
function nameOf({ product_title: product, title, variant_title: variant }: Item): string {
  const name = product ?? title
  const isTelling = variant && variant !== name && variant !== "Default variant"
  return isTelling ? `${name} (${variant})` : name
}

/** Medusa's total of an item is for the pieces that did not come back. */
function keptOf({ quantity, detail }: Item): number {
  const back = [detail?.return_received_quantity, detail?.return_dismissed_quantity]
  return back.reduce<number>((left, one) => left - Number(one ?? 0), Number(quantity))
}

/** Medusa's own amount for the pieces of a return that was asked for and has not arrived. */
function returningOf(item: Item & { readonly return_requested_total?: BigNumberValue }): string {
  return amountText(item.return_requested_total)
}

function otherPayment(payment: Payment): OtherPayment[] {
  if (flowOfProvider(payment.provider_id)) return []
  const sum = (list: Payment["captures"]) =>
    decimalSum((list ?? []).map(({ amount }) => amountText(amount))) ?? "0"
  const captured = sum(payment.captures)
  if (Number(captured) === 0) return []
  return [{ captured, refunded: sum(payment.refunds), at: isoOf(payment.captured_at) }]
}

function addressOf(address: NonNullable<OrderDTO["shipping_address"]>): PaperAddress {
  const { company, address_1, address_2, postal_code, city, province, country_code } = address
  const town = [postal_code, city].filter(Boolean).join(" ")
  const lines = [company, address_1, address_2, town, province]
  return {
    lines: lines.flatMap((line) => line || []),
    country: country_code?.toUpperCase() ?? null,
  }
}

function personOf(person: Person | null | undefined): string | null {
  return [person?.first_name, person?.last_name].filter(Boolean).join(" ") || null
}

function isoOf(time: unknown): string | null {
  if (!(time instanceof Date) && typeof time !== "string") return null
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
