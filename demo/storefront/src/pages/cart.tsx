/** The cart: how many, what it costs, a promotion code. */
import { useState, type FormEvent } from "react"
import type { Cart, CartItem } from "../api/store"
import { lineName, lineTotal, variantName } from "../components/lines"
import { Problem } from "../components/notice"
import { Page, Spinner } from "../components/page"
import { Picture } from "../components/picture"
import { Quantity } from "../components/quantity"
import { Totals } from "../components/totals"
import { useAct, type Act } from "../hooks/use-act"
import { useCart } from "../hooks/use-cart"
import { formatMoney } from "../money"
import { Link, navigate } from "../router"
import { words } from "../words"

export function CartPage() {
  const { cart, isKnown } = useCart()
  const change = useAct()
  const items = cart?.items ?? []
  return (
    <Page title={words.cart.title} className="two-sided">
      {!isKnown && <Spinner label={words.cart.fetching} />}
      {isKnown && (cart === null || items.length === 0) && <EmptyCart />}
      {cart !== null && items.length > 0 && (
        <>
          <section className="side-main">
            <ul className="lines">
              {items.map((item) => (
                <EditableLine
                  key={item.id}
                  item={item}
                  currency={cart.currency_code}
                  change={change}
                />
              ))}
            </ul>
            <Problem message={change.message} />
            <PromotionCode cart={cart} />
          </section>
          <section className="side panel" aria-label={words.cart.totals}>
            <Totals of={cart} hasShipping={(cart.shipping_methods ?? []).length > 0} />
            <button
              type="button"
              className="button"
              disabled={change.isBusy}
              onClick={() => navigate("/checkout")}
              data-testid="to-checkout"
            >
              {words.cart.checkOut}
            </button>
          </section>
        </>
      )}
    </Page>
  )
}

function EmptyCart() {
  return (
    <div className="empty">
      <p>{words.cart.empty}</p>
      <Link to="/" className="button">
        {words.product.seeAll}
      </Link>
    </div>
  )
}

type EditableLineProps = { item: CartItem; currency: string; change: Act }

function EditableLine({ item, currency, change }: EditableLineProps) {
  const { setQuantity, remove } = useCart()
  const name = lineName(item)
  return (
    <li className="line line-editable">
      <Picture src={item.thumbnail} name={name} className="line-picture" />
      <div className="line-text">
        <strong>{name}</strong>
        <span className="muted">
          {variantName(item.variant_title)}
          {words.cart.each(formatMoney(lineTotal(item) / item.quantity, currency))}
        </span>
      </div>
      <span className="line-price">{formatMoney(lineTotal(item), currency)}</span>
      <div className="line-acts">
        <Quantity
          value={item.quantity}
          label={name}
          least={1}
          isDisabled={change.isBusy}
          change={(quantity) => void change.run(() => setQuantity(item.id, quantity))}
        />
        <button
          type="button"
          className="button-link"
          disabled={change.isBusy}
          aria-label={words.cart.removeOne(name)}
          onClick={() => void change.run(() => remove(item.id))}
        >
          {words.common.remove}
        </button>
      </div>
    </li>
  )
}

function PromotionCode({ cart }: { cart: Cart }) {
  const { addCode, removeCode } = useCart()
  const [code, setCode] = useState("")
  const act = useAct()
  const taken = cart.promotions.flatMap((promotion) => promotion.code ?? [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = code.trim().toUpperCase()
    if (wanted !== "" && (await act.run(() => addCode(wanted)))) setCode("")
  }

  return (
    <form className="code" onSubmit={(event) => void submit(event)}>
      <label htmlFor="code">{words.cart.code}</label>
      <div className="code-row">
        <input
          id="code"
          value={code}
          autoComplete="off"
          autoCapitalize="characters"
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="submit" className="button-quiet" disabled={act.isBusy}>
          {words.cart.use}
        </button>
      </div>
      {taken.map((one) => (
        <p key={one} className="code-taken" data-testid="promotion">
          <span>{words.cart.used(one)}</span>
          <button
            type="button"
            className="button-link"
            disabled={act.isBusy}
            onClick={() => void act.run(() => removeCode(one))}
          >
            {words.common.remove}
          </button>
        </p>
      ))}
      <Problem message={act.message} />
    </form>
  )
}
