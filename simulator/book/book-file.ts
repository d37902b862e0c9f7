/**
 * The book on disk, so that a simulator that is started again still knows its payments. Saved
 * shortly after each change and at the end, into a new file that takes the old one's name: a reader
 * sees the old book or the new one, never half of one. A kill loses at most the last tenth of a
 * second.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

import { Book } from "./book"
import type { BookData } from "./records"
import { upgraded, type SavedBook } from "./upgrade"

const SAVE_AFTER_MS = 100

export type OpenBook = { book: Book; close(): void }

/**
 * The book of this file, or a new one; kept in memory only without a file. Throws on a foreign
 * file.
 */
export function openBook(file: string | undefined): OpenBook {
  if (file === undefined) return { book: new Book(), close: () => {} }
  const book = existsSync(file) ? new Book(readBook(file)) : new Book()
  let timer: NodeJS.Timeout | null = null
  const save = () => {
    timer = null
    mkdirSync(dirname(file), { recursive: true })
    const draft = `${file}.${process.pid}.tmp`
    writeFileSync(draft, JSON.stringify(book))
    renameSync(draft, file)
  }
  book.onChange(() => {
    timer ??= setTimeout(save, SAVE_AFTER_MS)
  })
  return {
    book,
    close() {
      if (timer === null) return
      clearTimeout(timer)
      save()
    },
  }
}

function readBook(file: string): BookData {
  const data: unknown = JSON.parse(readFileSync(file, "utf8"))
  if (!isBook(data)) throw new Error(`${file} is not a book of this simulator.`)
  return upgraded(data)
}

/** Trusts the content of a book of ours: nobody else writes it. */
const isBook = (data: unknown): data is SavedBook =>
  typeof data === "object" && data !== null && "version" in data && data.version === 1
