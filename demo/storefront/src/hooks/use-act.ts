/**
 * One thing the shopper does: at most one at a time, with the sentence to show when it fails.
 */
import { useCallback, useRef, useState } from "react"
import { sentenceOf } from "../api/store"

export type Act = {
  isBusy: boolean
  message: string | null
  /** Resolves to whether it worked. A second call while the first runs does nothing. */
  run(act: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

export function useAct(): Act {
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const running = useRef(false)

  const run = useCallback(async (act: () => Promise<unknown>) => {
    // State alone is not enough: two taps can come before React draws the disabled button.
    if (running.current) return false
    running.current = true
    setBusy(true)
    setMessage(null)
    try {
      await act()
      return true
    } catch (error) {
      setMessage(sentenceOf(error))
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }, [])

  const clear = useCallback(() => setMessage(null), [])
  return { isBusy, message, run, clear }
}
