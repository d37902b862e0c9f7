/**
 * Cuts the bytes of a JSON array into the texts of its elements while they arrive. It only finds
 * where an element ends: strings, escapes and nesting. Whether an element is JSON, `JSON.parse`
 * says, so that a record of a list is read exactly as the same record in an answer of its own.
 *
 * All signs of structure are ASCII, and no byte of a longer UTF-8 sign is, so it may cut anywhere.
 */

/** `before` its first bracket; `other`: the body is no array; `inside`; `after` its last bracket. */
type Place = "before" | "other" | "inside" | "after"

/** Why no more elements can be read. */
export type Broken = "not_json" | "too_large"

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d]

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

export class ElementSplitter {
  private place: Place = "before"
  private marksSeen = 0
  /** The pieces of the element that has not ended yet. */
  private pieces: Buffer[] = []
  private size = 0
  private depth = 0
  private isInText = false
  private isEscaped = false
  private hasElements = false
  private broken: Broken | undefined

  /** @param elementLimitBytes a longer element is no record of this API, and fills the memory */
  constructor(private readonly elementLimitBytes: number) {}

  /** Whether the body is no JSON array. It is then read as any other answer. */
  get isOther(): boolean {
    return this.place === "other"
  }

  /** Whether the first bracket of the array was read. */
  get isList(): boolean {
    return this.place === "inside" || this.place === "after"
  }

  /** Whether the array was read to its end. */
  get isWhole(): boolean {
    return this.place === "after" && this.broken === undefined
  }

  /** Why the rest can't be read; undefined while it can. */
  get brokenBy(): Broken | undefined {
    return this.broken
  }

  /** The elements that end in this chunk. Its reader takes each before the next is looked for. */
  *split(chunk: Buffer): Generator<string> {
    let at = this.isList ? 0 : this.skipToList(chunk)
    let start = at
    for (; at < chunk.length && this.broken === undefined; at++) {
      const byte = chunk[at] ?? 0
      if (this.place !== "inside") {
        if (this.place === "after" && !isBlank(byte)) this.broken = "not_json"
        continue
      }
      if (!this.isBorder(byte)) continue
      const isLast = byte === CLOSE_LIST
      const text = this.textUpTo(chunk.subarray(start, at))
      start = at + 1
      if (isLast) this.place = "after"
      // Only `[]` may have nothing between its brackets.
      if (text === "" && (!isLast || this.hasElements)) this.broken = "not_json"
      if (this.broken !== undefined || text === "") continue
      this.hasElements = true
      yield text
    }
    if (this.place === "inside" && this.broken === undefined) this.keep(chunk.subarray(start))
  }

  /** @returns where the first element begins, or the chunk's length if the array has not begun */
  private skipToList(chunk: Buffer): number {
    for (let at = 0; at < chunk.length && this.place === "before"; at++) {
      const byte = chunk[at] ?? 0
      if (byte === BYTE_ORDER_MARK[this.marksSeen]) this.marksSeen += 1
      else if (byte === OPEN_LIST) {
        this.place = "inside"
        return at + 1
      } else if (!isBlank(byte)) this.place = "other"
    }
    return chunk.length
  }

  /** Whether this byte ends an element. Else it is a part of one, whose nesting it may change. */
  private isBorder(byte: number): boolean {
    if (this.isInText) {
      if (this.isEscaped) this.isEscaped = false
      else if (byte === BACKSLASH) this.isEscaped = true
      else if (byte === QUOTE) this.isInText = false
      return false
    }
    if (this.depth === 0 && (byte === COMMA || byte === CLOSE_LIST)) return true
    if (byte === QUOTE) this.isInText = true
    else if (byte === OPEN_LIST || byte === OPEN_RECORD) this.depth += 1
    // A bracket too many stays in the element's text, which is then no JSON.
    else if (byte === CLOSE_LIST || byte === CLOSE_RECORD) this.depth = Math.max(this.depth - 1, 0)
    return false
  }

  private textUpTo(last: Buffer): string {
    this.keep(last)
    const text = Buffer.concat(this.pieces).toString("utf8")
    this.pieces = []
    this.size = 0
    return this.broken === undefined ? withoutBlanks(text) : ""
  }

  private keep(piece: Buffer): void {
    this.size += piece.length
    if (this.size > this.elementLimitBytes) this.broken = "too_large"
    else if (piece.length > 0) this.pieces.push(piece)
  }
}

/** Only JSON's own blanks: `trim` would also take signs that JSON refuses. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \n\r\t]+/, "").replace(/[ \n\r\t]+$/, "")
}
