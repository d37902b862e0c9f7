import { filtersInBody, operationsList } from "../list"

/** Operations by what a customer says of them: changes nothing, and keeps it out of the address. */
export const POST = operationsList(filtersInBody)
