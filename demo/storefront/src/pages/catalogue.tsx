/** Everything the shop sells, priced for the region. */
import { useCallback } from "react"
import { PRODUCT_FIELDS, type Product } from "../api/store"
import { Page, Wait } from "../components/page"
import { PaymentBanner } from "../components/payment-banner"
import { Picture } from "../components/picture"
import { useLoaded } from "../hooks/use-loaded"
import { useRegion } from "../hooks/use-region"
import { formatMoney } from "../money"
import { Link } from "../router"
import { useShop } from "../shop"

/** More than the shop has; a bound on what one page asks for. */
const PRODUCTS_MAX = 60

export function CataloguePage() {
  const { store } = useShop()
  const { current: region } = useRegion()
  const load = useCallback(async () => {
    const query = {
      region_id: region.id,
      fields: PRODUCT_FIELDS,
      limit: PRODUCTS_MAX,
      order: "title",
    }
    return (await store.product.list(query)).products
  }, [store, region.id])
  const [products, again] = useLoaded(load)

  return (
    <Page title="Made by hand" before={<PaymentBanner />}>
      <p className="lead">
        Baskets, prints and coffee from small makers, sent to {region.name}. Pay by mobile money or
        card.
      </p>
      {products.kind === "ready" ? (
        <ul className="grid" data-testid="products">
          {products.value.map((product) => (
            <Card key={product.id} product={product} />
          ))}
        </ul>
      ) : (
        <Wait state={products} label="Fetching products…" again={again} />
      )}
    </Page>
  )
}

function Card({ product }: { product: Product }) {
  const price = product.variants?.[0]?.calculated_price
  return (
    <li className="card">
      <Link to={`/product/${product.handle}`} className="card-link">
        <Picture src={product.thumbnail} name={product.title} className="card-picture" />
        <span className="card-name">{product.title}</span>
        {price?.calculated_amount != null && price.currency_code && (
          <span className="price">{formatMoney(price.calculated_amount, price.currency_code)}</span>
        )}
      </Link>
    </li>
  )
}
