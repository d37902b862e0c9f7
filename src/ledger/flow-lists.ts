/** Flows by whom they ask to confirm, as the list of an SQL `in (…)`. */
import { FLOWS, type Asked } from "../core/flows"
import { FLOW_NAMES } from "../core/operation"

export const ASKING_PHONE = flowsAsking("phone")
export const ASKING_CARD = flowsAsking("card")
export const ON_PAGE = flowsAsking(null)

function flowsAsking(asked: Asked | null): string {
  const flows = FLOW_NAMES.filter((flow) => FLOWS[flow].asks === asked)
  return flows.map((flow) => `'${flow}'`).join(", ")
}
