/** The lines of a cart or an order, read only. */
import { formatMoney } from "../money"
import { Picture } from "./picture"

type Line = {
  id: string
  title: string
  product_title?: string | null
  variant_title?: string | null
  thumbnail?: string | null
  quantity: number
  unit_price: number
  /** With tax, less what a promotion takes off, as the payment page shows it. */
  total?: number
}

export function Lines({ lines, currency }: { lines: readonly Line[]; currency: string }) {
  return (
    <ul className="lines">
      {lines.map((line) => (
        <li key={line.id} className="line">
          <Picture src={line.thumbnail} name={lineName(line)} className="line-picture" />
          <div className="line-text">
            <strong>{lineName(line)}</strong>
            <span className="muted">
              {variantName(line.variant_title)}× {line.quantity}
            </span>
          </div>
          <span className="line-price">{formatMoney(lineTotal(line), currency)}</span>
        </li>
      ))}
    </ul>
  )
}

/** What the line is paid with. */
export function lineTotal({ total, unit_price, quantity }: Omit<Line, "id" | "title">): number {
  return total ?? unit_price * quantity
}

export function lineName(line: { title: string; product_title?: string | null }): string {
  return line.product_title ?? line.title
}

/** Empty for products of one variant, where Medusa's variant says nothing. */
export function variantName(title: string | null | undefined): string {
  return title && !/^(default|one size)/i.test(title) ? `${title} · ` : ""
}
