/** The longest delay of a Node timer in milliseconds, 24 days; a longer one would fire at once. */
export const LONGEST_WAIT_MS = 2_147_483_647

/** Waits until this caller's deadline or abort; the work itself continues for other callers. */
export async function waitWithin<T>(
  pending: Promise<T>,
  { leftMs, signal }: { readonly leftMs: number; readonly signal?: AbortSignal | undefined },
): Promise<T | "deadline" | "aborted"> {
  // A signal that is already aborted fires no event.
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
