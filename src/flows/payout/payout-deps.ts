import type { FlowDeps } from "../deps"

/** What a payout or a transfer needs: nothing of the host, who has no part in it. */
export type PayoutDeps = Omit<FlowDeps, "host" | "settings" | "worker">
