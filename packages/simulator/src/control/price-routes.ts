/** `/_simulator` routes for prices: exchange rates and fee tiers. */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import { CURRENCIES } from "../money"
import type { Prices } from "../rules/prices"

const Rate = z.object({
  currency: z.enum(CURRENCIES),
  perDollar: z.number(),
})
const Tier = z.object({ tier: z.string().nullable(), ownerId: z.number().int().optional() })

export function openPriceControls(app: FastifyInstance, { prices }: { prices: Prices }): void {
  app.get("/_simulator/exchange-rates", () => prices.rates())
  app.post("/_simulator/exchange-rates", ({ body }) => {
    const { currency, perDollar } = Rate.parse(body)
    prices.setRate(currency, perDollar)
    return prices.rates()
  })
  app.post("/_simulator/fee-tier", ({ body }) => {
    const { tier, ownerId } = Tier.parse(body)
    prices.assignTier(tier, ownerId)
    return {}
  })
}
