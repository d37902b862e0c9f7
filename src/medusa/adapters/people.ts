/**
 * Medusa's users, as SQL for the statements that use what one admin asked for and another approves.
 * With Medusa's roles (`MEDUSA_FF_RBAC`) the right counts that they have now, and not the one that
 * their login began with.
 */
import { FeatureFlag } from "@medusajs/framework/utils"
import type { People, RequestKind } from "../../ledger/requests"
import { DECIDE, MANAGE, SEND } from "../../policies/merchant-payments"

const RIGHT: { readonly [Kind in RequestKind]: typeof SEND | typeof DECIDE | typeof MANAGE } = {
  PAYOUT: SEND,
  TRANSFER: SEND,
  REFUND: DECIDE,
  ACCOUNT: MANAGE,
}

export const medusaPeople: People = {
  all: `select id from "user" where deleted_at is null`,
  may: (userId, kind) => `exists (
    select from "user" u where u.id = ${userId} and u.deleted_at is null ${roles(kind)})`,
  markOf: (userId) =>
    `(select md5(lower(u.email)) from "user" u where u.id = ${userId} and u.deleted_at is null)`,
}

/** As Medusa reads it: a role has the policies of the roles above it, and \`*\` stands for each. */
function roles(kind: RequestKind): string {
  if (!FeatureFlag.isFeatureEnabled("rbac")) return ""
  const { resource, operation } = RIGHT[kind]
  return `and exists (
    with recursive held (id) as (
      select r.id from user_rbac_role l join rbac_role r on r.id = l.rbac_role_id
       where l.user_id = u.id and l.deleted_at is null and r.deleted_at is null
      union
      select r.id from held join rbac_role_parent p on p.role_id = held.id
        join rbac_role r on r.id = p.parent_id
       where p.deleted_at is null and r.deleted_at is null
    )
    select from held
      join rbac_role_policy rp on rp.role_id = held.id and rp.deleted_at is null
      join rbac_policy p on p.id = rp.policy_id and p.deleted_at is null
     where p.resource in ('${resource}', '*') and p.operation in ('${operation}', '*'))`
}
