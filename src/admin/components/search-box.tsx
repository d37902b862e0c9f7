/** The search of a list. What is typed stays in the page: an address is remembered and logged. */
import { Input } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { useSearchParams } from "react-router-dom"
import { wordsOf } from "../lib/filters"
import { useWords } from "../lib/words"

/** Until nothing more is typed: each letter would be a question to the store. */
const TYPING_MS = 300

type Searching = {
  readonly typed: string
  readonly type: (text: string) => void
  /** What the store is asked for. */
  readonly q: string | undefined
}

/** An address with a search, as an old bookmark is, gives its search up and is replaced. */
export function useSearch(): Searching {
  const [search, setSearch] = useSearchParams()
  const bookmarked = search.get("q")
  const [typed, type] = useState(bookmarked ?? "")
  const [q, setQ] = useState(() => wordsOf(typed))
  useEffect(() => {
    const timer = setTimeout(() => setQ(wordsOf(typed)), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const [listed, setListed] = useState(q)
  useEffect(() => {
    const isOther = listed !== q
    if (!isOther && bookmarked === null) return
    setListed(q)
    setSearch(
      (now) => {
        now.delete("q")
        // Another list begins on its first page.
        if (isOther) now.delete("offset")
        return now
      },
      { replace: true },
    )
  }, [q, listed, bookmarked, setSearch])
  return { typed, type, q }
}

export function SearchBox({ typed, type }: Searching) {
  const { say } = useWords()
  return (
    <div className="w-full px-6 pb-4 md:max-w-sm">
      <Input
        type="search"
        size="small"
        aria-label={say("list.search")}
        placeholder={say("list.search")}
        autoComplete="off"
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  )
}
