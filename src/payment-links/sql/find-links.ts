import { findingFirst } from "../../ledger/find-operations"

/** The payment link that an admin sees on an order: the live one, else the newest. */
export const findLinkOfOrder = findingFirst(`
  order_id = $1 and type = 'COLLECTION' and flow = 'link'
  order by (state in ('drafted', 'submitted', 'in_flight', 'completed', 'review')
            and recorded_at is null and returned_at is null) desc,
           created_at desc, id`)
