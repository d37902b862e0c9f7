/** Everything the shop sells, priced for the region. */
import { useCallback } from "react"
import { pricedFor, priceOf, PRODUCT_FIELDS, type Product } from "../api/store"
import { LastOrder } from "../components/last-order"
import { Page, Wait } from "../components/page"
import { Picture } from "../components/picture"
import { useLoaded } from "../hooks/use-loaded"
import { useRegion } from "../hooks/use-region"
import { formatMoney } from "../money"
import { Link } from "../router"
import { useShop } from "../shop"
import { words } from "../words"

/** More than the shop has; a bound on what one page asks for. */
const PRODUCTS_MAX = 60

export function CataloguePage() {
  const { store } = useShop()
  const { current: region } = useRegion()
  const load = useCallback(async () => {
    const query = {
      ...pricedFor(region),
      fields: PRODUCT_FIELDS,
      limit: PRODUCTS_MAX,
      order: "title",
    }
    return (await store.product.list(query)).products
  }, [store, region])
  const [products, again] = useLoaded(load)

  return (
    <Page title={words.catalogue.title}>
      <p className="lead">{words.catalogue.lead(region.name)}</p>
      <LastOrder />
      {products.kind === "ready" ? (
        <ul className="grid" data-testid="products">
          {products.value.map((product) => (
            <Card key={product.id} product={product} />
          ))}
        </ul>
      ) : (
        <Wait state={products} label={words.catalogue.fetching} again={again} />
      )}
    </Page>
  )
}

function Card({ product }: { product: Product }) {
  const price = priceOf(product.variants?.[0])
  return (
    <li className="card">
      <Link to={`/product/${product.handle}`} className="card-link">
        <Picture src={product.thumbnail} name={product.title} className="card-picture" />
        <span className="card-name">{product.title}</span>
        {price && <span className="price">{formatMoney(price.amount, price.currency)}</span>}
      </Link>
    </li>
  )
}
