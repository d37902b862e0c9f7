/**
 * Reading JSON that came from outside. A value is `unknown` until one of these has looked at it;
 * what has the wrong type reads as null, so that a field that is missing shows as missing instead
 * of taking the page down.
 */

export type WireRecord = { readonly [key: string]: unknown }

function isRecord(value: unknown): value is WireRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export function recordOf(value: unknown): WireRecord {
  return isRecord(value) ? value : {}
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}

export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null
}
