/** On the first page: the way back to the order that this browser has paid last. */
import { useState } from "react"
import { rememberedOrder } from "../memory"
import { Link } from "../router"
import { words } from "../words"
import { language } from "../words/language"
import { useReceiptUrl } from "./kept-receipt"

export function LastOrder() {
  const [order, setOrder] = useState(() => rememberedOrder.read())
  const receiptUrl = useReceiptUrl()
  if (order === null) return null
  const day = new Date(order.at).toLocaleDateString(language, { dateStyle: "long" })
  const forget = () => {
    rememberedOrder.write(null)
    setOrder(null)
  }
  return (
    <section className="panel" aria-labelledby="last-order" data-testid="last-order">
      <h2 id="last-order">{words.receipt.lastOrder}</h2>
      <p>{words.receipt.paidOn(day)}</p>
      <p>
        <Link to={`/order/${order.orderId}`}>{words.receipt.showOrder}</Link>
      </p>
      {receiptUrl !== null && (
        <p>
          <a href={receiptUrl} target="_blank" rel="noreferrer">
            {words.receipt.open}
          </a>
        </p>
      )}
      <button type="button" className="button-quiet" onClick={forget}>
        {words.receipt.forget}
      </button>
    </section>
  )
}
