import { filtersInAddress, operationsList } from "../../../operations-list"

export const GET = operationsList("GET operations", filtersInAddress)
