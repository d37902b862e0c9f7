import { moneyAsked, passcodeAsked } from "../../../money-asked"
import { payoutView } from "../../../../payouts/payout-view"
import { requestPayout } from "../../../../payouts/request-payout"
import { listPayouts } from "../../../../payouts/sql/find-payouts"
import { adminRoute } from "../../../routes"

export const GET = adminRoute("GET payouts", async ({ database }, { query }) => {
  const { limit, offset, state: states } = query
  const { payouts, count } = await listPayouts(database, { type: "PAYOUT", states, limit, offset })
  return { payouts: payouts.map(payoutView), count, limit, offset }
})

export const POST = adminRoute("POST payouts", async (deps, asked, request) => {
  const { body } = asked
  const payout = await requestPayout(deps, {
    ...moneyAsked(asked, request),
    name: body.name,
    phone: body.phone,
    countryCode: body.country_code ?? undefined,
    passcode: passcodeAsked(body, request),
  })
  return { payout: payoutView(payout) }
})
