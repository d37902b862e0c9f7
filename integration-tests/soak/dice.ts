/** Chance that a seed repeats: the same seed and name, the same draws in the same order. */
export type Dice = {
  /** At least 0 and below 1. */
  fraction(): number
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  oneOf<T>(list: readonly T[]): T
}

const HASH_START = 2_166_136_261
const HASH_FACTOR = 16_777_619

export function diceOf(seed: number, name: string): Dice {
  // FNV-1a over both, then a 32-bit generator (mulberry32) from there.
  let state = [...`${seed}:${name}`].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), HASH_FACTOR),
    HASH_START,
  )
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    oneOf<T>(list: readonly T[]): T {
      const one = list[Math.floor(fraction() * list.length)]
      if (one === undefined) throw new Error("there is nothing to choose from")
      return one
    },
  }
}
