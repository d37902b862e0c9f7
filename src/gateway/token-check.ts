/** `token.check`: proves the credentials by a new token, without handing it out. */
import type { CallOptions } from "./call-options"
import { failureOf, invalidRequest, ranOut } from "./failure"
import type { Outcome } from "./outcome"
import type { TokenSource } from "./token"
import { LONGEST_WAIT_MS, waitWithin } from "./wait-within"

const operation = "token.obtain"

export async function checkToken(
  token: TokenSource,
  { signal, deadlineMs = LONGEST_WAIT_MS }: Omit<CallOptions, "patience"> = {},
): Promise<Outcome<{ readonly expiresInMinutes: number }>> {
  if (signal?.aborted) {
    return invalidRequest(operation, [{ path: "signal", message: "already aborted" }], undefined)
  }
  // Only this caller's wait is limited: the token call keeps its own deadline for other callers.
  const leftMs = Math.min(deadlineMs, LONGEST_WAIT_MS)
  if (!(leftMs > 0)) return ranOut({ operation }, "deadline")
  const checked = await waitWithin(token.check(), { leftMs, signal })
  if (typeof checked === "string") {
    return failureOf(
      { kind: "unknown", reason: checked, again: "no" },
      { operation, reason: checked },
    )
  }
  if (checked.kind !== "done") return checked
  return { kind: "done", value: { expiresInMinutes: checked.value.minutes } }
}
