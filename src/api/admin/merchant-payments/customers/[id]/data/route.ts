import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import {
  customerNotFound,
  eraseCustomerData,
  readCustomerData,
  type CustomerData,
  type CustomerDataErased,
} from "../../../../../../flows/customer-data"
import { customerReader } from "../../../../../../modules/merchant-payments/host/customer-reader"
import { answerAdmin } from "../../../../../admin-answer"
import { customerDataQuery } from "../../../../../admin-validators"
import { shapedIn } from "../../../../../shape"
import { parsed } from "../../../../../validators"

/** All that the plugin's tables keep of one customer, to be handed out. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAdmin<CustomerData>(request, response, ({ database }) => {
    const customerId = shapedIn(request.params, customerNotFound)
    const { after } = parsed(customerDataQuery, request.query)
    return readCustomerData({ database, customers: customerReader(database) }, customerId, after)
  })

/** Erases what is personal in it. What stays, and why: SECURITY.md. */
export const DELETE = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAdmin<CustomerDataErased>(request, response, ({ database }, adminId) => {
    const customerId = shapedIn(request.params, customerNotFound)
    return eraseCustomerData({ database, customers: customerReader(database) }, customerId, adminId)
  })
