import { filtersInAddress, operationsList } from "./list"

/** Operations by filters that hold nothing personal. */
export const GET = operationsList(filtersInAddress)
