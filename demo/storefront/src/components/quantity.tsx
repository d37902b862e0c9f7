/** How many, by buttons that a thumb can hit. */
import { words } from "../words"

/** What one order may hold of one thing. */
const QUANTITY_MAX = 99

type QuantityProps = {
  value: number
  change(value: number): void
  label: string
  /** 0 where going down to nothing removes the line. */
  least: number
  isDisabled?: boolean
}

export function Quantity({ value, change, label, least, isDisabled = false }: QuantityProps) {
  return (
    <div className="quantity" role="group" aria-label={words.product.howMany(label)}>
      <button
        type="button"
        aria-label={words.product.less}
        disabled={isDisabled || value <= least}
        onClick={() => change(value - 1)}
      >
        −
      </button>
      <output data-testid="quantity">{value}</output>
      <button
        type="button"
        aria-label={words.product.more}
        disabled={isDisabled || value >= QUANTITY_MAX}
        onClick={() => change(value + 1)}
      >
        +
      </button>
    </div>
  )
}
