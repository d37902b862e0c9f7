/** The receipt's link, once the store has given it: to open, and to keep where the shopper likes. */
import { useEffect, useState } from "react"
import { receiptUrlOf } from "../api/receipt"
import { rememberedOrder } from "../memory"
import { useShop } from "../shop"
import { words } from "../words"

export function KeptReceipt() {
  const url = useReceiptUrl()
  const [isCopied, setCopied] = useState(false)
  if (url === null) return null
  const keep = () => {
    const copied = navigator.clipboard?.writeText(url) ?? Promise.reject(new Error("no clipboard"))
    // Without a clipboard the address stands on the receipt's own page.
    copied.then(() => setCopied(true)).catch(() => window.open(url, "_blank", "noreferrer"))
  }
  return (
    <section className="panel" aria-labelledby="kept-receipt" data-testid="kept-receipt">
      <h2 id="kept-receipt">{words.receipt.title}</h2>
      <p>{words.receipt.text}</p>
      <p>
        <a href={url} target="_blank" rel="noreferrer" data-testid="open-receipt">
          {words.receipt.open}
        </a>
      </p>
      <button type="button" className="button-quiet" onClick={keep}>
        {words.receipt.keep}
      </button>
      <p role="status">{isCopied && words.receipt.kept}</p>
    </section>
  )
}

/**
 * The link of the last order's receipt; null: none yet. The store gives it to a guest only for a
 * while after the payment, so this browser keeps it.
 */
export function useReceiptUrl(): string | null {
  const { config } = useShop()
  const [url, setUrl] = useState(() => rememberedOrder.read()?.receiptUrl ?? null)
  useEffect(() => {
    const order = rememberedOrder.read()
    if (order === null || order.receiptUrl !== null) return
    receiptUrlOf(config, order.sessionId)
      .then((receiptUrl) => {
        // Meanwhile the shopper may have had it forgotten, or paid another order.
        if (rememberedOrder.read()?.orderId !== order.orderId) return
        rememberedOrder.write({ ...order, receiptUrl })
        setUrl(receiptUrl)
      })
      // The remembered one stays, and the next page asks again.
      .catch(() => undefined)
  }, [config])
  return url
}
