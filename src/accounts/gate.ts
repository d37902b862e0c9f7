/** Lets so many through at once; the others wait their turn, in order. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function gate(atOnce: number): Gate {
  let free = atOnce
  const queue: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
