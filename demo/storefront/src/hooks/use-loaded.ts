/**
 * Something that is fetched when a page opens: not yet there, there, or failed with a sentence.
 */
import { useCallback, useEffect, useState } from "react"
import { sentenceOf } from "../api/store"

export type Loaded<T> =
  { kind: "loading" } | { kind: "ready"; value: T } | { kind: "failed"; message: string }

/**
 * `load` must be stable (useCallback); a new one loads again. An answer that comes late is dropped.
 */
export function useLoaded<T>(load: () => Promise<T>): [Loaded<T>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: "loading" })
  const [round, setRound] = useState(0)

  useEffect(() => {
    let dropped = false
    setLoaded({ kind: "loading" })
    load().then(
      (value) => {
        if (!dropped) setLoaded({ kind: "ready", value })
      },
      (error: unknown) => {
        if (!dropped) setLoaded({ kind: "failed", message: sentenceOf(error) })
      },
    )
    return () => {
      dropped = true
    }
  }, [load, round])

  const again = useCallback(() => setRound((now) => now + 1), [])
  return [loaded, again]
}
