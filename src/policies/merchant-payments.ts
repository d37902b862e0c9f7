/**
 * What Medusa's roles (`MEDUSA_FF_RBAC`) may grant of this plugin. Medusa 2.21 finds this folder by
 * its name and offers what it defines. `api/endpoints` says which route needs which policy.
 */
import * as utils from "@medusajs/framework/utils"

/** Reading payments, refunds, payouts and the reconciliation. */
export const READ = { resource: "merchant_payment", operation: "read" } as const
/** Deciding about money in review, retrying refunds, making payment links. */
export const DECIDE = { resource: "merchant_payment", operation: "update" } as const
/** Sending payouts and transfers. */
export const SEND = { resource: "merchant_payout", operation: "create" } as const
/** Managing accounts with their credentials and rules, regions, and the setup check. */
export const MANAGE = { resource: "merchant_account", operation: "update" } as const

/** What an admin reads of each policy. */
export const POLICIES = [
  { name: "ReadMerchantPayments", description: "Read merchant payments", ...READ },
  {
    name: "DecideMerchantPayments",
    description: "Decide about merchant payments, refund them and make payment links",
    ...DECIDE,
  },
  { name: "SendMerchantPayouts", description: "Send payouts and transfers", ...SEND },
  {
    name: "ManageMerchantAccounts",
    description: "Read and change merchant accounts, their rules and regions",
    ...MANAGE,
  },
]

/**
 * Registers them in Medusa 2.21, which then writes them into its tables at each start. A Medusa that
 * has no such function is told by `register-policies.ts`.
 */
const define: unknown = Reflect.get(utils, "definePolicies")

export const merchantPaymentPolicies: unknown =
  typeof define === "function" ? Reflect.apply(define, undefined, [POLICIES]) : undefined
