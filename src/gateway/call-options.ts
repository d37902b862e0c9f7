/** What every method of the client may be told besides its request. */
export type CallOptions = {
  /**
   * Stops waiting. What was sent stays sent: the outcome is then `unknown`. One that is aborted already
   * sends nothing.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * The longest that the method takes, in milliseconds, token and repeats included. Zero, less or no
   * number sends nothing. Default: the operation's own.
   */
  readonly deadlineMs?: number | undefined
  /** How long a `Retry-After` is sat out: a shopper 3 s, a job 60 s. Default `job`. */
  readonly patience?: "shopper" | "job" | undefined
}
