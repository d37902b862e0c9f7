/** What is kept of a change of an account, as types. */

export type AccountEventName =
  "created" | "changed" | "change_asked" | "removed" | "credential_dropped"

export type AccountChanges = Readonly<
  Record<string, { readonly from: unknown; readonly to: unknown }>
>

/** One event of an account, as the ledger has it. */
export type AccountHappening = {
  readonly eventId: string
  readonly accountId: string
  readonly name: AccountEventName
  readonly by: string
  /** What was changed, by name. */
  readonly fields: readonly string[]
  readonly occurredAt: Date
}
