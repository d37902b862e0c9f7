import { oneRoute } from "../../payouts/input"

export const GET = oneRoute("TRANSFER", "transfer")
