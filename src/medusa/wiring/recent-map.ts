/**
 * A map in bounded memory: a bounded number of entries, and keys of one length, whatever is put in.
 * The entry that was put in longest ago is forgotten first.
 */
import { createHash } from "node:crypto"

/** 128 bits: an attacker can't find two keys that are stored as one. */
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

  /** Deletes the key first, so that the first entry is always the oldest. */
  set(key: string, value: V): void {
    const name = short(key)
    this.#kept.delete(name)
    this.#kept.set(name, value)
    const [oldest = name] = this.#kept.keys()
    if (this.#kept.size > this.#most) this.#kept.delete(oldest)
  }

  /** The stored keys, which are digests, the oldest first. */
  keys(): IterableIterator<string> {
    return this.#kept.keys()
  }
}

/**
 * A digest of the key. A part of a header, kept as it is, would keep the whole header in memory.
 */
function short(key: string): string {
  return createHash("sha256").update(key).digest().toString("base64url", 0, KEY_BYTES)
}
