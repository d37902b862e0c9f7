/**
 * Totals of a cart or an order, as the store computed them. Every amount is with tax and adds up,
 * because that is what the payment page and the receipt show.
 */
import { formatMoney } from "../money"
import { words } from "../words"

type Totalled = {
  currency_code: string
  item_total?: number
  shipping_total?: number
  discount_total?: number
  tax_total?: number
  total: number
}

type TotalsProps = { of: Totalled; totalLabel?: string; hasShipping: boolean }

export function Totals({ of, totalLabel = words.totals.total, hasShipping }: TotalsProps) {
  const money = (amount = 0) => formatMoney(amount, of.currency_code)
  const discount = of.discount_total ?? 0
  const delivery = hasShipping ? money(of.shipping_total) : words.totals.later
  return (
    <dl className="totals">
      <Row label={words.totals.items} value={money(of.item_total)} testId="items" />
      <Row label={words.totals.delivery} value={delivery} testId="delivery" />
      <Row label={totalLabel} value={money(of.total)} isStrong testId="total" />
      <Row label={words.totals.tax} value={money(of.tax_total)} />
      {discount > 0 && (
        <Row label={words.totals.discount} value={money(discount)} testId="discount" />
      )}
    </dl>
  )
}

type RowProps = { label: string; value: string; isStrong?: boolean; testId?: string }

function Row({ label, value, isStrong, testId }: RowProps) {
  return (
    <div className={isStrong ? "totals-row totals-strong" : "totals-row"}>
      <dt>{label}</dt>
      <dd data-testid={testId}>{value}</dd>
    </div>
  )
}
