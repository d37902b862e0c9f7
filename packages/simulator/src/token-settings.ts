/** Settings of bearer tokens beside their life, with their defaults. */
import { WrongControl } from "./control/wrong-control"

export type TokenSettings = {
  /**
   * Whether a new token ends the former ones of the same client: two programs with a token each
   * then end one another's. Default false.
   */
  newTokenEndsFormer: boolean
  /** A token answers 401 for so many milliseconds after it was issued. Default 0. */
  tokenValidAfterMs: number
}

/** Fills in the defaults. Throws a sentence for an invalid time. */
export function tokenSettings(options: Partial<TokenSettings>): TokenSettings {
  const { newTokenEndsFormer = false, tokenValidAfterMs = 0 } = options
  if (!(tokenValidAfterMs >= 0)) {
    throw new WrongControl(`tokenValidAfterMs: ${tokenValidAfterMs} is not 0 or more.`)
  }
  return { newTokenEndsFormer, tokenValidAfterMs }
}
