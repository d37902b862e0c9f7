/** Name, region and cart, on every page. */
import type { ReactNode } from "react"
import { useCart } from "../hooks/use-cart"
import { useRegion } from "../hooks/use-region"
import { currencySymbol } from "../money"
import { Link } from "../router"
import { words } from "../words"

export function Header() {
  const { cart } = useCart()
  const pieces = (cart?.items ?? []).reduce((sum, item) => sum + item.quantity, 0)
  return (
    <Bar>
      <RegionChoice />
      <Link to="/cart" className="cart-link">
        {words.shop.cart}{" "}
        <span className="badge" data-testid="cart-count">
          {pieces}
        </span>
        <span className="visually-hidden"> {words.shop.inCart(pieces)}</span>
      </Link>
    </Bar>
  )
}

/** Before the store has named its regions: as high as the whole header, so that nothing moves. */
export function Bar({ children }: { children?: ReactNode }) {
  return (
    <header className="header">
      <Link to="/" className="brand">
        <svg viewBox="5 6 22 22" aria-hidden="true">
          <path d="M7 13h18l-1.8 11a2.5 2.5 0 0 1-2.4 2H11.2a2.5 2.5 0 0 1-2.4-2z" />
          <path d="M11.5 13a4.5 4.5 0 0 1 9 0" className="brand-handle" />
        </svg>
        <span>{words.shop.name}</span>
      </Link>
      {children}
    </header>
  )
}

function RegionChoice() {
  const { all, current, choose } = useRegion()
  return (
    <label className="region-choice">
      <span className="visually-hidden">{words.shop.whereYouBuy}</span>
      <select
        value={current.id}
        onChange={(event) => choose(event.target.value)}
        data-testid="region"
      >
        {all.map((region) => (
          <option key={region.id} value={region.id}>
            {region.name} ({currencySymbol(region.currency_code)})
          </option>
        ))}
      </select>
    </label>
  )
}
