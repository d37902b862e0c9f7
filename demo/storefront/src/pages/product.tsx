/** One product: variant, quantity, into the cart. */
import { useCallback, useState } from "react"
import { pricedFor, priceOf, PRODUCT_FIELDS, type Product, type Variant } from "../api/store"
import { Notice, Problem } from "../components/notice"
import { Page, Wait } from "../components/page"
import { Picture } from "../components/picture"
import { Quantity } from "../components/quantity"
import { useAct } from "../hooks/use-act"
import { useCart } from "../hooks/use-cart"
import { useLoaded } from "../hooks/use-loaded"
import { useRegion } from "../hooks/use-region"
import { formatMoney } from "../money"
import { Link } from "../router"
import { useShop } from "../shop"
import { words } from "../words"

export function ProductPage({ handle }: { handle: string }) {
  const { store } = useShop()
  const { current: region } = useRegion()
  const load = useCallback(async () => {
    const query = { handle, ...pricedFor(region), fields: PRODUCT_FIELDS, limit: 1 }
    return (await store.product.list(query)).products[0] ?? null
  }, [store, region, handle])
  const [product, again] = useLoaded(load)

  if (product.kind !== "ready") {
    return (
      <Page title={words.product.title}>
        <Wait state={product} label={words.product.fetching} again={again} />
      </Page>
    )
  }
  if (product.value === null) {
    return (
      <Page title={words.product.gone}>
        <p>{words.product.goneText}</p>
        <Link to="/">{words.product.seeAll}</Link>
      </Page>
    )
  }
  return <Detail key={product.value.id} product={product.value} />
}

function Detail({ product }: { product: Product }) {
  const variants = [...(product.variants ?? [])].sort(byRank)
  const [variantId, setVariantId] = useState(variants[0]?.id ?? "")
  const [quantity, setQuantity] = useState(1)
  const [isAdded, setAdded] = useState(false)
  const { add } = useCart()
  const adding = useAct()
  const variant = variants.find((one) => one.id === variantId)
  const price = priceOf(variant)

  const addToCart = async () => {
    setAdded(false)
    setAdded(await adding.run(() => add(variantId, quantity)))
  }

  return (
    <Page title={product.title} className="product" before={<Back />}>
      <Picture src={product.thumbnail} name={product.title} className="product-picture" />
      <div className="product-text">
        {price && (
          <p className="price price-large" data-testid="price">
            {formatMoney(price.amount, price.currency)}
            <span className="muted">
              {price.isWithTax ? words.product.withTax : words.product.beforeTax}
            </span>
          </p>
        )}
        <p>{product.description}</p>
        {variants.length > 1 && (
          <VariantChoice variants={variants} chosen={variantId} choose={setVariantId} />
        )}
        <Quantity value={quantity} change={setQuantity} label={product.title} least={1} />
        <button
          type="button"
          className="button"
          disabled={adding.isBusy || variantId === ""}
          onClick={() => void addToCart()}
          data-testid="add-to-cart"
        >
          {adding.isBusy ? words.product.adding : words.product.add}
        </button>
        <Problem message={adding.message} />
        {isAdded && (
          <Notice tone="good">
            {words.product.added}{" "}
            <Link to="/cart" takesFocus>
              {words.product.toCart}
            </Link>
          </Notice>
        )}
      </div>
    </Page>
  )
}

/** The merchant's order; XL does not come after S in the alphabet. */
function byRank(a: Variant, b: Variant): number {
  return (a.variant_rank ?? 0) - (b.variant_rank ?? 0)
}

type VariantChoiceProps = { variants: Variant[]; chosen: string; choose(id: string): void }

function VariantChoice({ variants, chosen, choose }: VariantChoiceProps) {
  return (
    <fieldset className="chips">
      <legend>{words.product.chooseOne}</legend>
      {variants.map((variant) => (
        <label key={variant.id} className="chip">
          <input
            type="radio"
            name="variant"
            checked={variant.id === chosen}
            onChange={() => choose(variant.id)}
          />
          <span>{variant.title}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Back() {
  return (
    <Link to="/" className="back">
      {words.product.all}
    </Link>
  )
}
