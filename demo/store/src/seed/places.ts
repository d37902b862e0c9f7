/**
 * Where the shop sells, what tax it takes there, and how it sends. Each step looks before it makes,
 * so a seeding that was cut short continues.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import {
  createRegionsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  createTaxRegionsWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateRegionsWorkflow,
} from "@medusajs/medusa/core-flows"
import { PAYMENT_PROVIDERS, pricesOf, REGIONS, SHIPPING_OPTIONS, TAX_RATES } from "./catalogue"

const LOCATION_NAME = "Warehouse"
const DELIVERY_NAME = "Delivery"
const MANUAL_FULFILLMENT = "manual_manual"

/** @returns the region that a shopper sees first */
export async function ensureRegions(container: MedusaContainer): Promise<string> {
  const found = await container.resolve(Modules.REGION).listRegions({})
  const ids: string[] = []
  for (const { name, currency, countries } of REGIONS) {
    const known = found.find((region) => region.name === name)
    if (known) {
      const update = { payment_providers: PAYMENT_PROVIDERS }
      const input = { selector: { id: known.id }, update }
      await updateRegionsWorkflow(container).run({ input })
      ids.push(known.id)
      continue
    }
    const region = {
      name,
      currency_code: currency,
      countries: [...countries],
      payment_providers: PAYMENT_PROVIDERS,
      is_tax_inclusive: false,
    }
    const { result } = await createRegionsWorkflow(container).run({
      input: { regions: [region] },
    })
    ids.push(...result.map(({ id }) => id))
  }
  const [first] = ids
  if (!first) throw new Error("The demo has no region.")
  return first
}

export async function ensureTaxes(container: MedusaContainer): Promise<void> {
  const found = await container.resolve(Modules.TAX).listTaxRegions({})
  const missing = TAX_RATES.filter(
    ({ country }) => !found.some(({ country_code }) => country_code === country),
  )
  if (missing.length === 0) return
  await createTaxRegionsWorkflow(container).run({
    input: missing.map(({ country, name, code, rate }) => ({
      country_code: country,
      provider_id: "tp_system",
      default_tax_rate: { name, code, rate },
    })),
  })
}

/** @returns the stock location's id */
export async function ensureStockLocation(
  container: MedusaContainer,
  salesChannelId: string,
): Promise<string> {
  const [known] = await container
    .resolve(Modules.STOCK_LOCATION)
    .listStockLocations({ name: LOCATION_NAME })
  if (known) return known.id

  const address = { address_1: "1 Harbour Road", city: "Monrovia", country_code: "lr" }
  const { result } = await createStockLocationsWorkflow(container).run({
    input: { locations: [{ name: LOCATION_NAME, address }] },
  })
  const [location] = result
  if (!location) throw new Error("Medusa made no stock location.")
  await linkSalesChannelsToStockLocationWorkflow(container).run({
    input: { id: location.id, add: [salesChannelId] },
  })
  return location.id
}

/** @returns the shipping profile's id */
export async function ensureShipping(
  container: MedusaContainer,
  stockLocationId: string,
): Promise<string> {
  const profileId = await ensureShippingProfile(container)
  const serviceZoneId = await ensureServiceZone(container, stockLocationId)
  const options = await container
    .resolve(Modules.FULFILLMENT)
    .listShippingOptions({ service_zone: { id: serviceZoneId } })
  const missing = SHIPPING_OPTIONS.filter(({ name }) => !options.some((o) => o.name === name))
  if (missing.length === 0) return profileId
  await createShippingOptionsWorkflow(container).run({
    input: missing.map(({ name, code, description, prices }) => ({
      name,
      price_type: "flat" as const,
      provider_id: MANUAL_FULFILLMENT,
      service_zone_id: serviceZoneId,
      shipping_profile_id: profileId,
      type: { label: name, description, code },
      prices: pricesOf(prices),
      rules: [
        { attribute: "enabled_in_store", operator: "eq" as const, value: "true" },
        { attribute: "is_return", operator: "eq" as const, value: "false" },
      ],
    })),
  })
  return profileId
}

async function ensureShippingProfile(container: MedusaContainer): Promise<string> {
  const [known] = await container
    .resolve(Modules.FULFILLMENT)
    .listShippingProfiles({ type: "default" })
  if (known) return known.id
  const { result } = await createShippingProfilesWorkflow(container).run({
    input: { data: [{ name: "Default", type: "default" }] },
  })
  const [profile] = result
  if (!profile) throw new Error("Medusa made no shipping profile.")
  return profile.id
}

async function ensureServiceZone(
  container: MedusaContainer,
  stockLocationId: string,
): Promise<string> {
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [known] = await fulfillment.listServiceZones({ name: DELIVERY_NAME })
  if (known) return known.id

  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const location = { [Modules.STOCK_LOCATION]: { stock_location_id: stockLocationId } }
  await link.create({
    ...location,
    [Modules.FULFILLMENT]: { fulfillment_provider_id: MANUAL_FULFILLMENT },
  })
  const geoZones = REGIONS.flatMap(({ countries }) =>
    countries.map((country_code) => ({ country_code, type: "country" as const })),
  )
  const set = await fulfillment.createFulfillmentSets({
    name: DELIVERY_NAME,
    type: "shipping",
    service_zones: [{ name: DELIVERY_NAME, geo_zones: geoZones }],
  })
  await link.create({ ...location, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  const [zone] = set.service_zones
  if (!zone) throw new Error("Medusa made no service zone.")
  return zone.id
}
