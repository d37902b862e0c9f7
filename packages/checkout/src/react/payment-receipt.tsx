/** The receipt of a paid payment, which the store has some seconds after the money. */
import { useEffect, useState } from "react"
import { numberOf, textOf } from "../status.js"
import type { PartKey } from "../texts/en-parts.js"
import { useKit, type Kit } from "./context.js"

/** Usually it is there within half a minute. */
const TRIES = 12
const PAUSE_MS = 5_000

type Receipt = Readonly<Record<string, unknown>>

/** @param props.sessionId the payment session that was paid, also one that was replaced since */
export function PaymentReceipt({ sessionId }: { readonly sessionId: string }) {
  const kit = useKit()
  const { say } = kit
  const receipt = useReceipt(sessionId)
  if (receipt === "soon" || receipt === "later") {
    return (
      <p className="mp-hint" role="status">
        {say(`receipt.${receipt}`)}
      </p>
    )
  }
  return (
    <section className="mp-receipt" aria-label={say("receipt.title")} data-testid="receipt">
      <h2>{say("receipt.title")}</h2>
      <dl>
        {rowsOf(receipt, kit).map(([key, value]) => (
          <div key={key} data-testid={key}>
            <dt>{say(key)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function useReceipt(sessionId: string): Receipt | "soon" | "later" {
  const { store } = useKit().checkout
  const [receipt, setReceipt] = useState<Receipt | "soon" | "later">("soon")
  useEffect(() => {
    let isLeft = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (left: number) => {
      const found = await store.receipt(sessionId).catch(() => null)
      if (isLeft) return
      if (found !== null) setReceipt(found)
      else if (left <= 1) setReceipt("later")
      else timer = setTimeout(() => void ask(left - 1), PAUSE_MS)
    }
    setReceipt("soon")
    void ask(TRIES)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [store, sessionId])
  return receipt
}

/** What the gateway has not said is left out. */
function rowsOf(receipt: Receipt, { money, language, say }: Kit): [PartKey, string][] {
  const text = (key: string) => textOf(receipt[key])
  const amount = (key: string, currencyKey: string) => {
    const [value, currency] = [numberOf(receipt[key]), text(currencyKey)]
    return value === null || currency === null ? null : money(value, currency)
  }
  const paidAt = text("paid_at")
  const hint = text("phone_hint")
  // On the payment page it is not known which wallet, or card, has paid.
  const isCard = text("payment_method") === "CREDIT_CARD"
  const carrier = isCard ? say("method.card") : (text("method_label") ?? text("carrier"))
  const rate = numberOf(receipt["exchange_rate"])
  const [from, to] = [text("exchange_from"), text("exchange_to")]
  const isExchanged = rate !== null && from !== null && to !== null
  const rows: [PartKey, string | null][] = [
    ["receipt.number", text("number")],
    ["receipt.date", paidAt && new Date(paidAt).toLocaleString(language)],
    ["receipt.with", carrier && [carrier, hint && `…${hint}`].filter(Boolean).join(" ")],
    ["receipt.total", amount("total", "currency")],
    ["receipt.fee", amount("payer_fee", "currency")],
    ["receipt.beyond", amount("beyond_amount", "currency")],
    ["receipt.charged", amount("payer_amount", "payer_currency")],
    ["receipt.rate", isExchanged ? `1 ${from} = ${rate.toLocaleString(language)} ${to}` : null],
    ["receipt.transaction", text("transaction_id")],
  ]
  return rows.flatMap(([key, value]) => (value ? [[key, value]] : []))
}
