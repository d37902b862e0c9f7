/**
 * Origins of preview deployments, as `https://*.preview.shop.example`: the star stands for one whole
 * label. Only https, because whoever is on the line can answer for any name of a domain.
 */

/** At least two labels behind the star: a whole top-level domain is no shop's. */
const WILDCARD = /^https:\/\/\*(?:\.[a-z0-9-]+){2,}(?::\d+)?\/?$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** @returns the wildcard, lower case and without the default port; undefined for no wildcard */
export function previewOriginIn(text: string): string | undefined {
  const lower = text.toLowerCase()
  if (!WILDCARD.test(lower)) return undefined
  const named = lower.replace("*", "any")
  return URL.canParse(named) ? new URL(named).origin.replace("any", "*") : undefined
}

/** @param origin as `new URL(…).origin` has it */
export function isPreviewOf(wildcard: string, origin: string): boolean {
  const [before = "", behind = ""] = wildcard.split("*")
  if (!origin.startsWith(before) || !origin.endsWith(behind)) return false
  return LABEL.test(origin.slice(before.length, origin.length - behind.length))
}
