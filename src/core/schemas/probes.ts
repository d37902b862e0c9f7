/** What the probes of a process answer. */
import { z } from "zod"

export const live = z.strictObject({ status: z.literal("live") })
export const ready = z.strictObject({ status: z.enum(["ready", "not_ready"]) })
