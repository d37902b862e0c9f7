/**
 * Where the shopper buys: decides currency, prices, delivery and ways to pay. Remembered between
 * visits; the first region of the store until somebody chooses.
 */
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react"
import type { Region } from "../api/store"
import { rememberedRegion } from "../memory"
import { useShop } from "../shop"
import { words } from "../words"
import { useLoaded, type Loaded } from "./use-loaded"

type Regions = { all: Region[]; current: Region; choose(id: string): void }

const RegionContext = createContext<Regions | null>(null)

export function useRegion(): Regions {
  const regions = useContext(RegionContext)
  if (regions === null) throw new Error("useRegion needs a RegionProvider above it")
  return regions
}

type ProviderProps = { waiting(state: Loaded<unknown>): ReactNode; children: ReactNode }

/** Shows `waiting` until the store has named its regions; nothing can be priced before that. */
export function RegionProvider({ waiting, children }: ProviderProps) {
  const { store } = useShop()
  const [chosen, setChosen] = useState(() => rememberedRegion.read())
  const load = useCallback(async () => {
    const { regions } = await store.region.list({ fields: "id,name,currency_code,*countries" })
    return regions
  }, [store])
  const [regions] = useLoaded(load)

  const choose = useCallback((id: string) => {
    rememberedRegion.write(id)
    setChosen(id)
  }, [])

  const value = useMemo(() => {
    if (regions.kind !== "ready") return null
    const current = regions.value.find((region) => region.id === chosen) ?? regions.value[0]
    return current ? { all: regions.value, current, choose } : null
  }, [regions, chosen, choose])

  if (value === null) {
    const empty = { kind: "failed", message: words.shop.sellsNowhere } as const
    return waiting(regions.kind === "ready" ? empty : regions)
  }
  return <RegionContext.Provider value={value}>{children}</RegionContext.Provider>
}
