/**
 * The sealed bearer token that the processes of one gateway client share, and which process may ask
 * for the next token. `gateway/token-store.ts` describes the rules.
 */
import { LIMITS } from "../core/limits"
import type { Sealed } from "../core/secret-box"
import { rowOf, rowsOf, type Database } from "./database"

export type KeptToken = {
  /** Changes with each token that is kept; 0 before the first. */
  readonly version: number
  readonly sealed: Sealed | null
  readonly minutes: number
  readonly ageMs: number
}

const FIND = `
  select version, token_ciphertext as ciphertext, key_id as "keyId", minutes,
         extract(epoch from clock_timestamp() - got_at)::float8 * 1000 as "ageMs"
    from mp_gateway_token where client_digest = $1`

type TokenRow = Omit<KeptToken, "sealed"> & {
  readonly ciphertext: string | null
  readonly keyId: string | null
}

export async function findGatewayToken(database: Database, client: string): Promise<KeptToken> {
  const [row] = await rowsOf<TokenRow>(database, FIND, [client])
  if (!row) return { version: 0, sealed: null, minutes: 0, ageMs: 0 }
  const { ciphertext, keyId, version, minutes, ageMs } = row
  const isKept = ciphertext !== null && keyId !== null
  return { version, sealed: isKept ? { ciphertext, keyId } : null, minutes, ageMs }
}

const MINUTE_AGO = `now() - interval '1 minute'`

/** The insert makes the row at the first token; then the condition lets one process ask. */
const CLAIM = `
  insert into mp_gateway_token as t (client_digest, claim, claimed_until)
  values ($1, $3, now() + $4 * interval '1 ms')
  on conflict (client_digest) do update
     set claim = excluded.claim, claimed_until = excluded.claimed_until
   where t.version = $2 and coalesce(t.claimed_until <= now(), true)
     and (t.got_in_minute < $5 or t.minute_from <= ${MINUTE_AGO})
  returning claim`

/** Why a claim failed: the minute's tokens are spent, or another process has the turn. */
const WAIT = `
  select got_in_minute >= $3 and minute_from > ${MINUTE_AGO} and version = $2 as "isSpent",
         extract(epoch from minute_from + interval '1 minute' - now())::float8 * 1000 as "leftMs"
    from mp_gateway_token where client_digest = $1`

/**
 * @returns `retryInMs` where a minute's tokens are spent: milliseconds until a token may be asked
 *   for
 */
export async function claimGatewayToken(
  database: Database,
  client: string,
  { version, claim }: { readonly version: number; readonly claim: string },
): Promise<"granted" | "taken" | { readonly retryInMs: number }> {
  const { tokenTurnMs, tokensPerMinute } = LIMITS
  const values = [client, version, claim, tokenTurnMs, tokensPerMinute]
  if ((await database.query(CLAIM, values)).length > 0) return "granted"
  const why = await rowOf<{ isSpent: boolean; leftMs: number }>(database, WAIT, [
    client,
    version,
    tokensPerMinute,
  ])
  return why.isSpent ? { retryInMs: Math.max(0, why.leftMs) } : "taken"
}

/** A token that a process got without a claim counts towards the minute as well. */
const KEEP = `
  insert into mp_gateway_token as t
         (client_digest, version, token_ciphertext, key_id, minutes, got_at, minute_from,
          got_in_minute)
  values ($1, 1, $2, $3, $4, clock_timestamp(), now(), 1)
  on conflict (client_digest) do update
     set version = t.version + 1, token_ciphertext = excluded.token_ciphertext,
         key_id = excluded.key_id, minutes = excluded.minutes, got_at = excluded.got_at,
         claim = null, claimed_until = null,
         minute_from = case when t.minute_from > ${MINUTE_AGO} then t.minute_from else now() end,
         got_in_minute = case when t.minute_from > ${MINUTE_AGO} then t.got_in_minute + 1 else 1 end`

export async function keepGatewayToken(
  database: Database,
  client: string,
  { sealed, minutes }: { readonly sealed: Sealed; readonly minutes: number },
): Promise<void> {
  await database.query(KEEP, [client, sealed.ciphertext, sealed.keyId, minutes])
}

const GIVE_UP = `
  update mp_gateway_token set claim = null, claimed_until = null
   where client_digest = $1 and claim = $2`

export async function giveUpGatewayToken(
  database: Database,
  client: string,
  claim: string,
): Promise<void> {
  await database.query(GIVE_UP, [client, claim])
}
