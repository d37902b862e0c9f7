/** The link of a paid payment's receipt, which the plugin's STATUS has. */
import type { ShopConfig } from "../config"
import { recordOf, textOf } from "./wire"

/** @returns null: not paid, or paid too long ago for a guest, or the link has ended. Rejects where the store does not answer */
export async function receiptUrlOf(config: ShopConfig, sessionId: string): Promise<string | null> {
  const { storeApiUrl, publishableKey } = config
  const path = `/store/merchant-payments/sessions/${encodeURIComponent(sessionId)}`
  const response = await fetch(storeApiUrl + path, {
    headers: { "x-publishable-api-key": publishableKey },
  })
  const status = recordOf(recordOf(await response.json()).payment)
  return textOf(status.receipt_url)
}
