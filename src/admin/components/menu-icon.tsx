/**
 * The plugin's entry in the menu. Medusa takes a small square icon and no badge, so a count
 * replaces the icon while payments need attention.
 */
import { CreditCardRefresh } from "@medusajs/icons"
import { useForgottenPasscode } from "../lib/passcode"
import { COUNT_EVERY_MS } from "../lib/pauses"
import { useAttentionCount } from "../lib/queries"
import { useWords } from "../lib/words"

/** Two digits fit; the pages show the whole number. */
const SHOWN_MAX = 99

/** Dark on orange is readable in both themes. */
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
  useForgottenPasscode()
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
