/** The payment's receipt, which the store has some seconds after the payment. */
import { useEffect, useState } from "react"
import { numberOf, recordOf, textOf, type WireRecord } from "../api/wire"
import { formatMoney } from "../money"
import { useShop } from "../shop"
import { words } from "../words"

/** Usually it is there within half a minute. */
const TRIES = 6
const PAUSE_MS = 10_000

export function Receipt({ sessionId }: { sessionId: string }) {
  const receipt = useReceipt(sessionId)
  if (receipt === null || receipt === "later") {
    return (
      <p className="muted" role="status">
        {receipt === null ? words.receipt.soon : words.receipt.later}
      </p>
    )
  }
  return (
    <section className="panel" aria-label={words.receipt.title} data-testid="receipt">
      <h2>{words.receipt.title}</h2>
      <dl className="facts">
        {rowsOf(receipt).map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function useReceipt(sessionId: string): WireRecord | "later" | null {
  const { checkout } = useShop()
  const [receipt, setReceipt] = useState<WireRecord | "later" | null>(null)
  useEffect(() => {
    let dropped = false
    let timer: number | undefined
    const ask = async (left: number) => {
      const found = await checkout.store.receipt(sessionId).catch(() => null)
      if (dropped) return
      if (found !== null) setReceipt(recordOf(found))
      else if (left <= 1) setReceipt("later")
      else timer = window.setTimeout(() => void ask(left - 1), PAUSE_MS)
    }
    void ask(TRIES)
    return () => {
      dropped = true
      window.clearTimeout(timer)
    }
  }, [checkout, sessionId])
  return receipt
}

function rowsOf(receipt: WireRecord): [string, string][] {
  const money = (amount: unknown, currency: unknown) => {
    const [value, code] = [numberOf(amount), textOf(currency)]
    return value === null || code === null ? null : formatMoney(value, code)
  }
  const paidAt = textOf(receipt.paid_at)
  const hint = textOf(receipt.phone_hint)
  const by = [textOf(receipt.carrier), hint && `…${hint}`].filter(Boolean).join(" ")
  const rows: [string, string | null][] = [
    [words.receipt.number, textOf(receipt.number)],
    [words.receipt.date, paidAt && new Date(paidAt).toLocaleString(document.documentElement.lang)],
    [words.receipt.paidWith, by === "" ? null : by],
    [words.totals.total, money(receipt.total, receipt.currency)],
    [words.receipt.fee, money(receipt.payer_fee, receipt.currency)],
    [words.receipt.charged, money(receipt.payer_amount, receipt.payer_currency)],
    [words.receipt.transaction, textOf(receipt.transaction_id)],
  ]
  return rows.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
}
