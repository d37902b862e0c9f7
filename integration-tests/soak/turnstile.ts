/** Lets so many through at once; the others stand in line, first come, first served. */
export function turnstile(atOnce: number): <T>(act: () => Promise<T>) => Promise<T> {
  let free = atOnce
  const line: (() => void)[] = []
  return async (act) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => void line.push(resolve))
    try {
      return await act()
    } finally {
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }
}
