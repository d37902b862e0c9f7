/** The figures as people read them. */
import { excesses, type Figure } from "./figure"

const ALWAYS = new Set(["value", "unit", "better", "against", "limit", "samples"])

export function tableOf(figures: Readonly<Record<string, Figure>>): string {
  return Object.entries(figures).map(rowsOf).join("\n\n")
}

function rowsOf([name, figure]: [string, Figure]): string {
  const beyond = excesses(figure)
  const limit = figure.limit === null ? "" : `  (limit ${figure.limit})`
  const verdict = beyond.length === 0 ? "ok" : "BEYOND ITS LIMIT"
  const rest = Object.entries(figure).filter(([field]) => !ALWAYS.has(field))
  const width = Math.max(...rest.map(([field]) => field.length), "samples".length)
  const line = (field: string, text: string) => `    ${field.padEnd(width)}  ${text}`
  return [
    `${name}  ${shown(figure.value)} ${figure.unit}${limit}  ${verdict}`,
    line("against", figure.against),
    line("samples", String(figure.samples)),
    ...rest.map(([field, value]) => line(field, shown(value))),
  ].join("\n")
}

function shown(value: Figure[string]): string {
  if (typeof value === "number") return String(rounded(value))
  if (typeof value === "string") return value
  return value === null ? "-" : value.map((one) => rounded(one)).join(" ")
}

/** Three digits are more than any of these measurements can repeat. */
const rounded = (value: number) =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
