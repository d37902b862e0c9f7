/** How the goods travel. */
import { useCallback, useState, type FormEvent } from "react"
import type { Cart, ShippingOption } from "../api/store"
import { useAct } from "../hooks/use-act"
import { useCart } from "../hooks/use-cart"
import { useLoaded } from "../hooks/use-loaded"
import { formatMoney } from "../money"
import { useShop } from "../shop"
import { words } from "../words"
import { Notice, Problem } from "./notice"
import { Wait } from "./page"

/**
 * What the option adds to the total. Medusa names no tax of an option before it is chosen; a method
 * that is chosen has tax lines, and until then the goods' are the nearest.
 */
function chargedFor(option: ShippingOption, cart: Cart): number {
  if (option.calculated_price.is_calculated_price_tax_inclusive) return option.amount
  const taxed = cart.shipping_methods?.[0] ?? cart.items?.[0]
  const rates = (taxed?.tax_lines ?? []).map(({ rate }) => rate)
  return option.amount * (1 + rates.reduce((sum, rate) => sum + rate, 0) / 100)
}

export function DeliveryForm({ cart, done }: { cart: Cart; done(): void }) {
  const { store } = useShop()
  const { chooseShipping } = useCart()
  const saving = useAct()
  const current = cart.shipping_methods?.[0]?.shipping_option_id
  const [chosen, setChosen] = useState<string | undefined>(current)
  const load = useCallback(async () => {
    const answer = await store.fulfillment.listCartOptions({ cart_id: cart.id })
    return answer.shipping_options.sort((a, b) => a.amount - b.amount)
  }, [store, cart.id])
  const [options, again] = useLoaded(load)

  if (options.kind !== "ready") {
    return <Wait state={options} label={words.checkout.deliveryWays} again={again} />
  }
  if (options.value.length === 0) {
    return <Notice tone="problem">{words.checkout.noDelivery}</Notice>
  }
  const picked = options.value.find((option) => option.id === chosen) ?? options.value[0]

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (picked && (await saving.run(() => chooseShipping(picked.id)))) done()
  }

  return (
    <form className="form" onSubmit={(event) => void save(event)} data-testid="delivery-form">
      <fieldset className="choices">
        <legend className="visually-hidden">{words.checkout.delivery}</legend>
        {options.value.map((option) => (
          <label key={option.id} className="choice">
            <input
              type="radio"
              name="delivery"
              checked={option.id === picked?.id}
              onChange={() => setChosen(option.id)}
            />
            <span className="choice-text">{option.name}</span>
            <span className="choice-side">
              {formatMoney(chargedFor(option, cart), cart.currency_code)}
              <span className="muted">{words.product.withTax}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Problem message={saving.message} />
      <button type="submit" className="button" disabled={saving.isBusy}>
        {saving.isBusy ? words.common.saving : words.common.continue}
      </button>
    </form>
  )
}
