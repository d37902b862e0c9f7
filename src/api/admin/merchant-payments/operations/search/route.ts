import { filtersInBody, operationsList } from "../../../../operations-list"

export const POST = operationsList("POST operations/search", filtersInBody)
