import type { FlowDeps } from "../deps"

/** What a refund needs: nothing of the host, so that a payment provider can ask for one. */
export type RefundDeps = Omit<FlowDeps, "host" | "settings" | "worker">
