/**
 * The shopper's cart. The store owns it; the browser remembers its id. Every change answers with
 * the cart as it is afterwards, totals included, so nothing is ever computed here.
 *
 * While a payment is in flight the store refuses changes (409), and the shopper is told why.
 */
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react"
import { CART_FIELDS, httpStatusOf, type Cart, type CartChanges } from "../api/store"
import { rememberedCart } from "../memory"
import { useShop } from "../shop"
import { words } from "../words"
import { useRegion } from "./use-region"

export type CartActions = {
  cart: Cart | null
  /** False until the remembered cart was asked for. */
  isKnown: boolean
  refresh(): Promise<Cart | null>
  forget(): void
  add(variantId: string, quantity: number): Promise<void>
  setQuantity(itemId: string, quantity: number): Promise<void>
  remove(itemId: string): Promise<void>
  addCode(code: string): Promise<void>
  removeCode(code: string): Promise<void>
  update(changes: CartChanges): Promise<void>
  chooseShipping(optionId: string): Promise<void>
}

const CartContext = createContext<CartActions | null>(null)

export function useCart(): CartActions {
  const actions = useContext(CartContext)
  if (actions === null) throw new Error("useCart needs a CartProvider above it")
  return actions
}

export function CartProvider({ children }: { children: ReactNode }) {
  const { store } = useShop()
  const { current: region } = useRegion()
  const [cart, setCart] = useState<Cart | null>(null)
  const [isKnown, setKnown] = useState(false)

  const keep = useCallback((next: Cart | null) => {
    rememberedCart.write(next?.id ?? null)
    setCart(next)
    setKnown(true)
  }, [])

  const refresh = useCallback(async () => {
    const id = rememberedCart.read()
    const next = id === null ? null : await retrieveOpenCart(store, id)
    keep(next)
    return next
  }, [store, keep])

  useEffect(() => {
    refresh().catch(() => setKnown(true))
  }, [refresh])

  useEffect(() => {
    if (cart === null || cart.region_id === region.id) return
    const moved = store.cart.update(cart.id, { region_id: region.id }, CART_FIELDS)
    moved.then((answer) => keep(answer.cart), sayThatItIsHeld).catch(() => undefined)
  }, [store, cart, region.id, keep])

  const actions = useMemo((): CartActions => {
    const change = async (act: (id: string) => Promise<{ cart: Cart }>) => {
      if (cart === null) return
      const answer = await act(cart.id).catch(sayThatItIsHeld)
      keep(answer.cart)
    }
    return {
      cart,
      isKnown,
      refresh,
      forget: () => keep(null),
      async add(variantId, quantity) {
        const items = [{ variant_id: variantId, quantity }]
        if (cart === null) {
          keep((await store.cart.create({ region_id: region.id, items }, CART_FIELDS)).cart)
          return
        }
        const line = { variant_id: variantId, quantity }
        await change((id) => store.cart.createLineItem(id, line, CART_FIELDS))
      },
      setQuantity: (item, quantity) =>
        change((id) => store.cart.updateLineItem(id, item, { quantity }, CART_FIELDS)),
      remove: (item) =>
        change(async (id) => {
          await store.cart.deleteLineItem(id, item)
          return store.cart.retrieve(id, CART_FIELDS)
        }),
      addCode: (code) =>
        change(async (id) => {
          const answer = await store.cart.addPromotions(id, { promo_codes: [code] }, CART_FIELDS)
          const taken = answer.cart.promotions.some((promotion) => promotion.code === code)
          if (!taken) throw new Error(words.cart.unknownCode(code))
          return answer
        }),
      removeCode: (code) =>
        change((id) => store.cart.removePromotions(id, { promo_codes: [code] }, CART_FIELDS)),
      update: (changes) => change((id) => store.cart.update(id, changes, CART_FIELDS)),
      chooseShipping: (optionId) =>
        change((id) => store.cart.addShippingMethod(id, { option_id: optionId }, CART_FIELDS)),
    }
  }, [store, region.id, cart, isKnown, refresh, keep])

  return <CartContext.Provider value={actions}>{children}</CartContext.Provider>
}

/** Null when the cart is gone or has become an order. */
async function retrieveOpenCart(store: ReturnType<typeof useShop>["store"], id: string) {
  try {
    const { cart } = await store.cart.retrieve(id, CART_FIELDS)
    return cart.completed_at ? null : cart
  } catch (error) {
    if (httpStatusOf(error) === 404) return null
    throw error
  }
}

function sayThatItIsHeld(error: unknown): never {
  if (httpStatusOf(error) === 409) throw new Error(words.cart.held, { cause: error })
  throw error
}
