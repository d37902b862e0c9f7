/** Lines and totals of a cart or an order, as the store computed them. */
import { formatMoney } from "../money"

type Totalled = {
  currency_code: string
  item_subtotal?: number
  shipping_subtotal?: number
  discount_subtotal?: number
  tax_total?: number
  total: number
}

type TotalsProps = { of: Totalled; totalLabel?: string; hasShipping: boolean }

export function Totals({ of, totalLabel = "Total", hasShipping }: TotalsProps) {
  const money = (amount = 0) => formatMoney(amount, of.currency_code)
  const discount = of.discount_subtotal ?? 0
  return (
    <dl className="totals">
      <Row label="Items" value={money(of.item_subtotal)} />
      <Row label="Delivery" value={hasShipping ? money(of.shipping_subtotal) : "chosen later"} />
      {discount > 0 && <Row label="Discount" value={`−${money(discount)}`} testId="discount" />}
      <Row label="Tax" value={money(of.tax_total)} />
      <Row label={totalLabel} value={money(of.total)} isStrong testId="total" />
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
