/** The shop's users in suites without Medusa's tables: everybody is one, and may do everything. */
import type { People } from "../../src/ledger/requests"

export const everybody: People = { may: () => "true", markOf: () => "null" }
