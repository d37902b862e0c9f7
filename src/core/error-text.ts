import { LIMITS } from "./limits"

/**
 * The message of a thrown value, at most `messageLengthMax` characters. Medusa's workflow engine
 * throws what it stored of an error: an object with a `message`, which is no `Error` any more.
 */
export function errorText(error: unknown): string {
  const hasMessage = typeof error === "object" && error !== null && "message" in error
  return String(hasMessage ? error.message : error).slice(0, LIMITS.messageLengthMax)
}
