/**
 * The book on disk, so that a restarted simulator still has its payments. It is saved shortly after
 * each change and at the end, into a new file that replaces the old one, so a reader never sees
 * half a book. A kill loses at most the last tenth of a second.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

import { Book } from "./book"
import type { BookData } from "./records"

const SAVE_AFTER_MS = 100

export type OpenBook = { book: Book; close(): void }

/**
 * Opens the book of this file, or a new one. Without a file the book stays in memory. Throws if the
 * file is not a book.
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
  if (!isBook(data)) {
    throw new Error(`${file} is no book of this version of the simulator. Delete or move it.`)
  }
  return data
}

/** Checks only the version: no other program writes a book. */
const isBook = (data: unknown): data is BookData =>
  typeof data === "object" && data !== null && "version" in data && data.version === 2
