import {
  eraseCustomerData,
  readCustomerData,
  type CustomerData,
  type CustomerDataErased,
} from "../../../../../../reconciliation/customer-data"
import { customerDataQuery, customerIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"

/** All that the plugin's tables hold about one customer, for the customer to read. */
export const GET = adminRoute<CustomerData>((flows, request) => {
  const customerId = customerIdIn(request.params)
  const { after } = parsed(customerDataQuery, request.query)
  return readCustomerData(flows, customerId, after)
})

/** Erases the customer's personal data in those tables. SECURITY.md says what stays, and why. */
export const DELETE = adminRoute<CustomerDataErased>((flows, request, adminId) => {
  const customerId = customerIdIn(request.params)
  return eraseCustomerData(flows, customerId, adminId)
})
