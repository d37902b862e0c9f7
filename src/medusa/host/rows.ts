/** Parsers for rows of Medusa's tables, and the ids of our payment providers. */
import { PROVIDERS } from "../../core/providers"

export const OUR_PROVIDERS = Object.values(PROVIDERS).map(({ providerId }) => providerId)

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
