/**
 * Unknown forms in which the gateway of an account answers. People see them; they decide nothing. A
 * form is forgotten once it was not met for a month.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"

/** An unknown form, by our own names and kinds: nothing of the answer is in it. */
type GatewayForm = {
  readonly operation: string
  readonly field: string
  readonly kind: string
}

export type MetForm = GatewayForm & {
  readonly accountId: AccountId
  /** The account's names at the gateway when the form was met: other names may know the word. */
  readonly wireNames: Readonly<Record<string, string>>
}

/** Rows are written in one order, so that two processes never wait for each other. */
const KEEP = `
  with met as (
    select f.*, case when f.kind = 'unknown_word' then md5(f."wireNames"::text) end as names_digest,
           exists (select from mp_gateway_form k
                    where (k.account_id, k.operation, k.field, k.kind)
                          = (f."accountId", f.operation, f.field, f.kind)) as is_kept
      from jsonb_to_recordset($1::jsonb) as f
             ("accountId" text, operation text, field text, kind text, "wireNames" jsonb)
      join mp_account a on a.id = f."accountId"
  ), counted as (
    select *, row_number() over (partition by "accountId", is_kept order by operation, field, kind)
                + (select count(*) from mp_gateway_form k where k.account_id = "accountId") as place
      from met
  )
  insert into mp_gateway_form (account_id, operation, field, kind, names_digest)
  select "accountId", operation, field, kind, names_digest from counted
   where is_kept or place <= $2
   order by 1, 2, 3, 4
  on conflict (account_id, operation, field, kind) do update
     set last_at = now(), names_digest = excluded.names_digest`

/** Unknown words come first, because they hold payments up; then the newest forms. */
const READ = `
  select a.label, k.operation, k.field, k.kind
    from mp_gateway_form k join mp_account a on a.id = k.account_id
   where a.deleted_at is null and k.last_at > now() - $1::float8 * interval '1 ms'
     and (k.names_digest is null or k.names_digest = md5(a.wire_names::text))
   order by k.kind <> 'unknown_word', k.first_at desc, a.label, k.operation, k.field, k.kind`

/** @param forms must hold each form once */
export async function keepGatewayForms(
  database: Database,
  forms: readonly MetForm[],
): Promise<void> {
  await database.query(KEEP, [JSON.stringify(forms), LIMITS.gatewayFormsMax])
}

export type KeptForm = GatewayForm & { readonly label: string }

/**
 * An unknown word is left out once the account has other names than when the word was met. If the
 * new names don't name it either, it is met again.
 */
export async function readGatewayForms(database: Database): Promise<readonly KeptForm[]> {
  const rows = await database.query(READ, [LIMITS.gatewayFormKeptMs])
  return rows.map((row) => row as KeptForm)
}
