/**
 * Bars over a scale from zero, made of the page's own boxes. A bar's length is a share of its box,
 * so nothing is measured and a narrow page needs no second drawing. Colours are the dashboard's own
 * variables, so that they follow the dark theme.
 */
import { Tooltip } from "@medusajs/ui"
import type { CSSProperties, ReactNode } from "react"
import { scaleLines } from "../lib/scale"

type Bar = {
  readonly name: string
  /** A number, zero or more, for each series; for drawing only. */
  readonly values: Readonly<Record<string, number>>
}

export type BarsProps = {
  readonly bars: readonly Bar[]
  readonly series: readonly string[]
  /**
   * `lying` bars have one box for each series and room for long names. `standing` ones show days:
   * the series of a day stand on each other.
   */
  readonly layout: "lying" | "standing"
  /** The end of the scale, where it is not the highest value. */
  readonly most?: number
  readonly format: (value: number) => string
}

type Scale = {
  readonly lines: readonly number[]
  readonly share: (value: number) => string
}
type Drawn = Pick<BarsProps, "bars" | "series" | "format"> & { readonly scale: Scale }

const COLOURS = ["blue", "green", "orange", "purple", "red", "neutral"].map(
  (name) => `var(--tag-${name}-icon)`,
)
const LINE = "1px solid var(--border-base)"
const NAME_WIDTH = 190
const NUMBER_WIDTH = 64
const THICKNESS = 28
const STANDING_HEIGHT = 220
/** A month of days leaves a gap beside each, and two days are not two blocks. */
const STANDING_WIDTH = "min(70%, 48px)"
/** Dates beside each other that a narrow page has room for. */
const MOST_NAMES = 6
const SMALL: CSSProperties = { color: "var(--fg-subtle)", fontSize: 12, lineHeight: "16px" }

export function Bars({ bars, series, layout, most, format }: BarsProps) {
  const isLying = layout === "lying"
  const highest = bars.map(({ values }) => {
    const all = series.map((name) => values[name] ?? 0)
    return isLying ? Math.max(...all) : all.reduce((sum, value) => sum + value, 0)
  })
  const lines = scaleLines(most ?? Math.max(0, ...highest))
  const share = (value: number) => `${(100 * value) / (lines.at(-1) ?? 1)}%`
  const drawn = { bars, series, format, scale: { lines, share } }
  return (
    <div style={{ paddingBlock: 8, paddingRight: 24 }}>
      {isLying ? <Lying {...drawn} /> : <Standing {...drawn} />}
      {series.length > 1 && <Legend series={series} />}
    </div>
  )
}

function Lying({ bars, series, format, scale: { lines, share } }: Drawn) {
  const thickness = series.length > 1 ? THICKNESS * 0.7 : THICKNESS
  const columns = `minmax(0, ${NAME_WIDTH}px) minmax(0, 1fr)`
  return (
    <div style={{ ...SMALL, display: "grid", gridTemplateColumns: columns, columnGap: 8 }}>
      {bars.map(({ name, values }) => [
        <span key={`${name}:`} style={{ alignSelf: "center", textAlign: "right" }}>
          {name}
        </span>,
        <Numbers key={name} bar={{ name, values }} series={series} format={format}>
          <div style={{ position: "relative", display: "grid", gap: 2, paddingBlock: 8 }}>
            {lines.map((line) => (
              <Box key={line} at={{ left: share(line), top: 0, bottom: 0, borderLeft: LINE }} />
            ))}
            {series.map((one, n) => (
              <Filled key={one} n={n} height={thickness} width={share(values[one] ?? 0)} />
            ))}
          </div>
        </Numbers>,
      ])}
      <div style={{ position: "relative", height: 20, gridColumn: 2 }}>
        {lines.map((line) => (
          <Box key={line} at={{ left: share(line), top: 4, transform: "translateX(-50%)" }}>
            {format(line)}
          </Box>
        ))}
      </div>
    </div>
  )
}

function Standing({ bars, series, format, scale: { lines, share } }: Drawn) {
  const nth = Math.ceil(bars.length / MOST_NAMES)
  const plot: CSSProperties = { position: "relative", display: "flex", height: STANDING_HEIGHT }
  return (
    <div style={{ ...SMALL, paddingLeft: NUMBER_WIDTH, paddingBottom: 24, paddingTop: 8 }}>
      <div style={plot}>
        {lines.map((line) => (
          <Box key={line} at={{ left: 0, right: 0, bottom: share(line), borderTop: LINE }}>
            <Box at={{ right: "100%", paddingRight: 8, transform: "translateY(-50%)" }}>
              {format(line)}
            </Box>
          </Box>
        ))}
        {bars.map((bar, day) => (
          <Numbers key={bar.name} bar={bar} series={series} format={format}>
            <div style={STACK}>
              {series.map((one, n) => (
                <Filled
                  key={one}
                  n={n}
                  height={share(bar.values[one] ?? 0)}
                  width={STANDING_WIDTH}
                />
              ))}
              {day % nth === 0 && <Box at={{ top: "100%", paddingTop: 8 }}>{bar.name}</Box>}
            </div>
          </Numbers>
        ))}
      </div>
    </div>
  )
}

const STACK: CSSProperties = {
  position: "relative",
  display: "flex",
  flex: 1,
  flexDirection: "column-reverse",
  justifyContent: "flex-start",
  alignItems: "center",
}

/** What does not take part in the order of its neighbours: lines, and the numbers at them. */
function Box({ at, children }: { readonly at: CSSProperties; readonly children?: ReactNode }) {
  return <span style={{ position: "absolute", whiteSpace: "nowrap", ...at }}>{children}</span>
}

function Filled({ n, ...size }: { readonly n: number } & Pick<CSSProperties, "height" | "width">) {
  const background = COLOURS[n % COLOURS.length]
  return (
    <span
      data-testid="bar"
      style={{ position: "relative", borderRadius: 3, background, ...size }}
    />
  )
}

/** The numbers of a bar, while a mouse is on it. Other readers have the chart's text and table. */
function Numbers({
  bar,
  series,
  format,
  children,
}: Pick<BarsProps, "series" | "format"> & { readonly bar: Bar; readonly children: ReactNode }) {
  const content = (
    <span style={{ display: "flex", flexDirection: "column" }}>
      <strong>{bar.name}</strong>
      {series.map((one) => (
        <span key={one}>{`${one}: ${format(bar.values[one] ?? 0)}`}</span>
      ))}
    </span>
  )
  return <Tooltip content={content}>{children}</Tooltip>
}

function Legend({ series }: { readonly series: readonly string[] }) {
  const list: CSSProperties = { display: "flex", flexWrap: "wrap", justifyContent: "center" }
  return (
    <div style={{ ...SMALL, ...list, columnGap: 12, paddingTop: 8 }}>
      {series.map((name, n) => (
        <span key={name} style={{ display: "inline-flex", alignItems: "center", columnGap: 6 }}>
          <span style={{ width: 12, height: 12, background: COLOURS[n % COLOURS.length] }} />
          {name}
        </span>
      ))}
    </div>
  )
}
