/** Options that every method of the client takes besides its request. */
export type CallOptions = {
  /**
   * Stops waiting. A request that was sent stays sent: the outcome is then `unknown`. A signal that
   * is already aborted sends nothing.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * The longest that the method takes, in milliseconds, token and repeats included. A value that is
   * not above zero sends nothing. Default: the operation's own.
   */
  readonly deadlineMs?: number | undefined
  /**
   * The longest `Retry-After` that the call waits out: a shopper's 3 s, a job's 60 s. Default
   * `job`.
   */
  readonly patience?: "shopper" | "job" | undefined
}
