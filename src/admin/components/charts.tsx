/**
 * The charts of the reconciliation. A table below each chart has the same numbers, for readers who
 * can't see it.
 */
import { useWords } from "../lib/words"
import { Bars, type BarsProps } from "./bars"
import { Cells, type Table } from "./parts"

/** A chart with its title, its text and its numbers in a table. */
export function Chart(
  props: BarsProps & Table & { readonly title: string; readonly text?: string },
) {
  const { say } = useWords()
  const { title, text, bars, series } = props
  const spoken = bars
    .map(({ name, values }) =>
      [name, ...series.map((one) => props.format(values[one] ?? 0))].join(" "),
    )
    .join("; ")
  return (
    <figure className="m-0 flex min-w-0 flex-col gap-y-2 px-6 py-4" data-testid="chart">
      <figcaption className="flex flex-col">
        <span className="txt-compact-small-plus text-ui-fg-base">{title}</span>
        {text && <span className="text-ui-fg-subtle text-xs">{text}</span>}
      </figcaption>
      <div role="img" aria-label={`${title}: ${spoken}`}>
        <Bars {...props} />
      </div>
      <details>
        <summary className="txt-compact-small text-ui-fg-base cursor-pointer underline">
          {say("reconciliation.table")}
        </summary>
        <div className="overflow-x-auto pt-2">
          <Cells {...props} />
        </div>
      </details>
    </figure>
  )
}
