import { checkLine } from "../../accounts/schemas/health"
import { overview } from "../../reconciliation/schemas/overview"

/** What the home page reads: the figures, and the gateway's health in one line. */
export const homeResponse = overview.extend({ gateway: checkLine })
