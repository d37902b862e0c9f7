/**
 * The charts of the reconciliation. Their library is loaded only where there is something to draw.
 * A table below each chart has the same numbers, for readers who can't see it. Colours are the
 * dashboard's own variables, so that they follow the dark theme.
 */
import { Skeleton } from "@medusajs/ui"
import { lazy, Suspense } from "react"
import { useWords } from "../lib/words"
import { Cells, type Table } from "./parts"

type Bar = {
  readonly name: string
  /** A number for each series; for drawing only. */
  readonly values: Readonly<Record<string, number>>
}

type ChartProps = {
  readonly bars: readonly Bar[]
  readonly series: readonly string[]
  /** Horizontal bars leave room for long names; vertical ones show days. */
  readonly isLying: boolean
  readonly isStacked?: boolean
  readonly most?: number
  readonly format: (value: number) => string
}

const COLOURS = ["blue", "green", "orange", "purple", "red", "neutral"].map(
  (name) => `var(--tag-${name}-icon)`,
)
const TEXT = { fontSize: 12, fill: "var(--fg-subtle)" }
const BAR_HEIGHT = 44
const STANDING_HEIGHT = 260
const NAME_WIDTH = 190
const TOOLTIP = {
  background: "var(--bg-base)",
  border: "1px solid var(--border-base)",
  borderRadius: 8,
  color: "var(--fg-base)",
  fontSize: 12,
}

const Drawn = lazy(async () => {
  const { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } =
    await import("recharts")
  return {
    default: ({ bars, series, isLying, isStacked, most, format }: ChartProps) => {
      const rows = bars.map(({ name, values }) => ({ name, ...values }))
      const tick = (value: unknown) => format(Number(value))
      const axis = { tick: TEXT, tickLine: false, axisLine: false } as const
      const names = { ...axis, dataKey: "name" } as const
      const domain = [0, most ?? "auto"] as const
      const numbers = { ...axis, type: "number", tickFormatter: tick, domain } as const
      return (
        <ResponsiveContainer width="100%" height={heightOf(bars.length, series.length, isLying)}>
          <BarChart
            data={rows}
            layout={isLying ? "vertical" : "horizontal"}
            accessibilityLayer={false}
            margin={{ top: 8, right: 24, bottom: 0, left: 0 }}
          >
            <CartesianGrid stroke="var(--border-base)" horizontal={!isLying} vertical={isLying} />
            {isLying ? <XAxis {...numbers} /> : <XAxis {...names} />}
            {isLying ? (
              <YAxis type="category" width={NAME_WIDTH} {...names} />
            ) : (
              <YAxis width={90} {...numbers} />
            )}
            <Tooltip
              formatter={tick}
              contentStyle={TOOLTIP}
              cursor={{ fill: "var(--bg-base-hover)" }}
            />
            {series.length > 1 && <Legend wrapperStyle={TEXT} />}
            {series.map((name, n) => (
              <Bar
                key={name}
                dataKey={name}
                fill={COLOURS[n % COLOURS.length] ?? ""}
                {...(isStacked && { stackId: "all" })}
                maxBarSize={28}
                radius={isStacked ? 0 : 3}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      )
    },
  }
})

function heightOf(bars: number, series: number, isLying: boolean): number {
  return isLying ? 48 + bars * Math.max(BAR_HEIGHT, series * 26) : STANDING_HEIGHT
}

/** A chart with its title, its text and its numbers in a table. */
export function Chart(
  props: ChartProps & Table & { readonly title: string; readonly text?: string },
) {
  const { say } = useWords()
  const { title, text, bars, series, isLying } = props
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
      <div
        role="img"
        aria-label={`${title}: ${spoken}`}
        style={{ height: heightOf(bars.length, series.length, isLying) }}
      >
        <Suspense fallback={<Skeleton className="h-full w-full" />}>
          <Drawn {...props} />
        </Suspense>
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
