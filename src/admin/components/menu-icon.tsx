/**
 * The plugin's place in the menu. Medusa takes an icon for it, of a small square, and no badge; so the
 * count of what needs a person takes the icon's place while there is one.
 */
import { CreditCardRefresh } from "@medusajs/icons"
import { COUNT_EVERY_MS } from "../lib/pauses"
import { useAttentionCount } from "../lib/queries"
import { useWords } from "../lib/words"

/** Two digits are what fits; the pages have the whole number. */
const SHOWN_MAX = 99

/** Dark on orange reads in the light and in the dark theme. */
const COUNT = {
  width: 15,
  height: 15,
  fontSize: 9,
  fontWeight: 600,
  lineHeight: 1,
  background: "#fb923c",
  color: "#18181b",
}

export function MenuIcon() {
  const { say } = useWords()
  const count = useAttentionCount(COUNT_EVERY_MS)
  if (count === 0) return <CreditCardRefresh />
  return (
    <span
      role="status"
      aria-label={say("attention.count", { count })}
      className="flex items-center justify-center rounded"
      style={COUNT}
    >
      {Math.min(count, SHOWN_MAX)}
    </span>
  )
}
