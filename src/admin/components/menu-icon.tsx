/**
 * The plugin's place in the menu. Medusa takes an icon for it and no badge, so the icon carries the count
 * of what needs a person.
 */
import { CreditCardRefresh } from "@medusajs/icons"
import { useAttentionCount } from "../lib/queries"
import { useWords } from "../lib/words"

const SHOWN_MAX = 99

/** Dark on orange reads in the light and in the dark theme. */
const COUNT = {
  top: -7,
  right: -8,
  minWidth: 14,
  height: 14,
  padding: "0 3px",
  fontSize: 9,
  fontWeight: 600,
  lineHeight: 1,
  background: "#fb923c",
  color: "#18181b",
}

export function MenuIcon() {
  const { say } = useWords()
  const count = useAttentionCount()
  return (
    <span className="relative flex items-center justify-center">
      <CreditCardRefresh />
      {count > 0 && (
        <span
          role="status"
          aria-label={say("attention.count", { count })}
          className="absolute flex items-center justify-center rounded-full"
          style={COUNT}
        >
          {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
        </span>
      )}
    </span>
  )
}
