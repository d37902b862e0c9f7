import { moneyAsked } from "../../../money-asked"
import { payoutView } from "../../../../payouts/payout-view"
import { requestTransfer } from "../../../../payouts/request-transfer"
import { listPayouts } from "../../../../payouts/sql/find-payouts"
import { adminRoute } from "../../../routes"

export const GET = adminRoute("GET transfers", async ({ database }, { query }) => {
  const { limit, offset, state: states } = query
  const { payouts, count } = await listPayouts(database, {
    type: "TRANSFER",
    states,
    limit,
    offset,
  })
  return { transfers: payouts.map(payoutView), count, limit, offset }
})

export const POST = adminRoute("POST transfers", async (deps, asked, request) => {
  const transfer = await requestTransfer(deps, {
    ...moneyAsked(asked, request),
    fromWalletId: asked.body.from_wallet_id,
    toCounterpartyId: asked.body.to_counterparty_id,
  })
  return { transfer: payoutView(transfer) }
})
