/** The state of a source: the only proof of a payment made on the hosted page. */
import type { SourceType } from "../book/records"
import { iso } from "../clock"
import { wireAmount } from "../money"
import { ownDocument, reportedTotalOf, stateOf } from "../rules/documents"
import { operation } from "./operation"

type SourceQuery = { source_type: SourceType; source_id: number }

export const getPaymentSourceStatus = operation<undefined, SourceQuery>(
  "getPaymentSourceStatus",
  ({ world, ownerId, query }) => {
    const document = ownDocument(world, ownerId, query.source_type, query.source_id)
    const { status, paidAtMs } = stateOf(world, document, world.settings.sourceLagMs)
    return {
      source_id: document.id,
      source_type: document.type,
      source_number: document.number,
      status,
      currency: document.currency,
      total_amount: wireAmount(reportedTotalOf(world, document)),
      paid_at: paidAtMs === null ? null : iso(paidAtMs),
    }
  },
)
