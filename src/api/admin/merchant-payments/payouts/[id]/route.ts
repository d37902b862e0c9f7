import { oneRoute } from "../input"

export const GET = oneRoute("PAYOUT", "payout")
