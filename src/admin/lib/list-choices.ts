/** What an admin's browser remembers of the list, and how wide its screen is. */
import { useEffect, useState } from "react"

const FEES = "merchant-payments.list.fees"
const NARROW = "(max-width: 767px)"

/** Whether fee and net are shown; remembered, where the browser lets us. */
export function useFeeColumns(): readonly [boolean, () => void] {
  const [isShown, setShown] = useState(() => remembered() !== "hidden")
  const toggle = () => {
    setShown(!isShown)
    try {
      window.localStorage.setItem(FEES, isShown ? "hidden" : "shown")
    } catch {
      // Storage may be forbidden; then it is shown again next time.
    }
  }
  return [isShown, toggle]
}

function remembered(): string | null {
  try {
    return window.localStorage.getItem(FEES)
  } catch {
    return null
  }
}

export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(NARROW).matches)
  useEffect(() => {
    const screen = window.matchMedia(NARROW)
    const listen = () => setNarrow(screen.matches)
    screen.addEventListener("change", listen)
    return () => screen.removeEventListener("change", listen)
  }, [])
  return isNarrow
}
