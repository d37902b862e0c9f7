/**
 * What is remembered of many, in bounded memory: no more entries than it is told, and keys of one
 * length, whatever is put in. Whoever was put in longest ago is forgotten first.
 */
import { createHash } from "node:crypto"

/** 128 bits: nobody finds two keys that are one, and each entry takes the same few bytes. */
const KEY_BYTES = 16

export class RecentMap<V> {
  readonly #kept = new Map<string, V>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): V | undefined {
    return this.#kept.get(short(key))
  }

  /** Put in anew, so that the first is the oldest. */
  set(key: string, value: V): void {
    const name = short(key)
    this.#kept.delete(name)
    this.#kept.set(name, value)
    if (this.#kept.size <= this.#most) return
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest)
      return
    }
  }

  /** The keys as they are kept, the oldest first. */
  keys(): IterableIterator<string> {
    return this.#kept.keys()
  }
}

/** A part of a header, kept as it is, would keep the whole header in memory. */
function short(key: string): string {
  return createHash("sha256").update(key).digest().toString("base64url", 0, KEY_BYTES)
}
