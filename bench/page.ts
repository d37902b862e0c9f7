/**
 * The table of measured figures in a page of the documents. A run replaces the rows of what it has
 * measured and leaves the others, so that long figures need not be measured with the short ones.
 */
import type { Figure } from "./figure"
import { StartFailure } from "../demo/run/failure.cjs"

const BEGIN = "<!-- measured: figures -->"
const END = "<!-- end of figures -->"
const HEAD = ["| Figure | Measured | Limit | Against | On |", "| --- | --- | --- | --- | --- |"]
const ROW = /^\| `([a-z_0-9]+)` \|/

/**
 * @param page the page's text, with the two marks
 * @param day when it was measured, such as 2026-11-28
 * @returns the page with the rows of these figures, in the order in which they are named in `names`
 * @throws StartFailure where the page has no marks
 */
export function pageWith(
  page: string,
  {
    figures,
    names,
    day,
  }: {
    readonly figures: Readonly<Record<string, Figure>>
    readonly names: readonly string[]
    readonly day: string
  },
): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) {
    throw new StartFailure(`The page has no place for figures: it needs ${BEGIN} and ${END}.`)
  }
  const rows = new Map(
    page
      .slice(begin, end)
      .split("\n")
      .flatMap((line): [string, string][] => {
        const name = ROW.exec(line)?.[1]
        return name === undefined ? [] : [[name, line]]
      }),
  )
  for (const [name, figure] of Object.entries(figures)) rows.set(name, rowOf(name, figure, day))
  const kept = names.flatMap((name) => rows.get(name) ?? [])
  return `${page.slice(0, begin)}${[BEGIN, "", ...HEAD, ...kept, "", ""].join("\n")}${page.slice(end)}`
}

function rowOf(name: string, figure: Figure, day: string): string {
  const limit = figure.limit === null ? "none" : String(figure.limit)
  const cells = [`\`${name}\``, `${shown(figure.value)} ${figure.unit}`, limit, figure.against, day]
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

/** Three digits are more than any of these measurements can repeat. */
const shown = (value: number): string =>
  String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)))
