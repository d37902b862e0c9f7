/** Waits for something that goes on for others when this caller's time, or the caller, is gone. */

/** What one timer of Node can measure, 24 days; a longer one would fire at once. */
export const LONGEST_WAIT_MS = 2_147_483_647

/** @returns what came, or why it was not waited for any longer */
export async function waitWithin<T>(
  pending: Promise<T>,
  { leftMs, signal }: { readonly leftMs: number; readonly signal?: AbortSignal | undefined },
): Promise<T | "deadline" | "aborted"> {
  // It would not say so a second time.
  if (signal?.aborted) return "aborted"
  let giveUp: (reason: "deadline" | "aborted") => void = () => undefined
  const gaveUp = new Promise<"deadline" | "aborted">((resolve) => {
    giveUp = resolve
  })
  const onAbort = () => giveUp("aborted")
  const timer = setTimeout(() => giveUp("deadline"), leftMs)
  signal?.addEventListener("abort", onAbort)
  try {
    return await Promise.race([pending, gaveUp])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}
