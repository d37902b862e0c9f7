/**
 * The search of a list. The typed text is in no URL, because URLs are logged: the entry of the
 * browser's history keeps it, so that the way back finds it.
 */
import { Input } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { useLocation, useSearchParams } from "react-router-dom"
import { isRecord } from "../lib/api"
import { wordsOf } from "../lib/filters"
import { useWords } from "../lib/words"

/** Milliseconds without typing until the store is asked, so that not each letter is a request. */
const TYPING_MS = 300

type Searching = {
  readonly typed: string
  readonly type: (text: string) => void
  /** The search that the store gets; undefined: none. */
  readonly q: string | undefined
}

/** Takes over the search in a URL, such as an old bookmark, and replaces the URL by one without. */
export function useSearch(): Searching {
  const [search, setSearch] = useSearchParams()
  const bookmarked = search.get("q")
  const kept = keptIn(useLocation().state)
  const [typed, type] = useState(bookmarked ?? kept ?? "")
  const [q, setQ] = useState(() => wordsOf(typed))
  useEffect(() => {
    const timer = setTimeout(() => setQ(wordsOf(typed)), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const [listed, setListed] = useState(q)
  useEffect(() => {
    const isOther = listed !== q
    if (!isOther && bookmarked === null && kept === q) return
    setListed(q)
    setSearch(
      (now) => {
        now.delete("q")
        // The list of another search begins on its first page.
        if (isOther) now.delete("offset")
        return now
      },
      { replace: true, state: { search: q } },
    )
  }, [q, listed, bookmarked, kept, setSearch])
  return { typed, type, q }
}

/** Filters and pages make new entries of the history, at first without the search. */
function keptIn(state: unknown): string | undefined {
  const kept = isRecord(state) ? state["search"] : undefined
  return typeof kept === "string" ? kept : undefined
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
