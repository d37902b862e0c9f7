/** Part of the ledger: one account's, or everybody's, of a period by the day on which it began. */
export type LedgerPeriod = {
  readonly from: Date
  /** Not included. */
  readonly until: Date
  readonly accountIds: readonly string[]
}
