/** The fee tier that a merchant was assigned. `rules/fees` has the tiers themselves. */
import type { Owned } from "./basics"

export type FeeAssignment = Owned & { id: number; tierName: string }
