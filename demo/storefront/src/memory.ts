/**
 * What this browser remembers between visits: ids only, never a name, a phone number or an amount.
 * A browser that refuses storage still works, it just forgets.
 */

export type Memory = { read(): string | null; write(value: string | null): void }

function memoryOf(key: string): Memory {
  let fallback: string | null = null
  return {
    read() {
      try {
        return window.localStorage.getItem(key)
      } catch {
        return fallback
      }
    },
    write(value) {
      fallback = value
      try {
        if (value === null) window.localStorage.removeItem(key)
        else window.localStorage.setItem(key, value)
      } catch {
        // Private windows may refuse; the value lives as long as the page.
      }
    },
  }
}

export const rememberedCart = memoryOf("shop.cart_id")
export const rememberedLanguage = memoryOf("shop.language")
export const rememberedRegion = memoryOf("shop.region_id")
