/** Which fee tier a merchant was given. The tiers themselves are no records: `rules/fees`. */
import type { Owned } from "./basics"

export type FeeAssignment = Owned & { id: number; tierName: string }
