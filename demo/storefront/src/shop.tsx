/**
 * The shop's one set of connections, handed to every page.
 */
import { createContext, useContext, useMemo, type ReactNode } from "react"
import { paymentsOf, type Payments } from "./api/payments"
import { storeOf, type Store } from "./api/store"
import type { ShopConfig } from "./config"

export type Shop = { config: ShopConfig; store: Store; payments: Payments }

const ShopContext = createContext<Shop | null>(null)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (shop === null) throw new Error("useShop needs a ShopProvider above it")
  return shop
}

export function ShopProvider({ config, children }: { config: ShopConfig; children: ReactNode }) {
  const shop = useMemo(
    () => ({ config, store: storeOf(config), payments: paymentsOf(config) }),
    [config],
  )
  return <ShopContext.Provider value={shop}>{children}</ShopContext.Provider>
}
