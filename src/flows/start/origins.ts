import { refusal } from "../../core/refusal"
import type { Settings } from "../deps"

/**
 * An address to send the shopper back to, or null when none was asked for. Only addresses of the shop's
 * own origins: anything else would make the return route an open redirect.
 */
export function checkedOrigin(settings: Settings, url: string | undefined): string | null {
  if (url === undefined || url === "") return null
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:"
  const isClean = parsed?.username === "" && parsed.password === ""
  if (parsed && isWeb && isClean && settings.storefrontOrigins.includes(parsed.origin)) {
    return parsed.toString()
  }
  throw refusal("origin_not_allowed")
}
