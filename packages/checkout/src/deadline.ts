/**
 * Ends by itself what may never end: on a bad line an answer, its rest or a lock can stay out for
 * ever. The work is left alone then, also where it does not listen to its signal.
 *
 * @param ended what ends it before that
 * @throws what the work throws, or an error once its time is over or it was ended
 */
export function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ended?: AbortSignal,
): Promise<T> {
  const control = new AbortController()
  return new Promise<T>((resolve, reject) => {
    const end = (why: string) => {
      control.abort()
      clearTimeout(timer)
      reject(new Error(why))
    }
    const aborted = () => end("aborted")
    const timer = setTimeout(() => end("timeout"), ms)
    if (ended?.aborted) return aborted()
    ended?.addEventListener("abort", aborted)
    work(control.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        ended?.removeEventListener("abort", aborted)
      })
  })
}
