import { filtersInBody, operationsList } from "../list"

/** Finds operations by personal data, which a POST keeps out of the URL. It changes nothing. */
export const POST = operationsList(filtersInBody)
