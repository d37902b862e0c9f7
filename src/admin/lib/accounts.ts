/** Reads and changes accounts, the setup check and the regions. */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type {
  AccountResponse,
  AccountBody,
  AccountChangeBody,
  AccountDeletedResponse,
  AccountEventsResponse,
  AccountsResponse,
  ConnectionTestResponse,
  HealthResponse,
  OneAccountResponse,
  RegionEnabledResponse,
  RegionsResponse,
} from "./responses"
import { ApiError, call, isRecord, isWorthAsking } from "./api"
import { HEALTH_EVERY_MS } from "./pauses"
import { BASE, OURS, useRead } from "./queries"
import { useWords, type Say } from "./words"

const pathOf = (id: string, rest = "") => `${BASE}/accounts/${encodeURIComponent(id)}${rest}`

export const HEALTH_PATH = `${BASE}/health`

export function useAccounts() {
  return useRead<AccountsResponse>(["accounts"], `${BASE}/accounts`)
}

/** Changes of an account, newest first. */
export function useAccountEvents(id: string) {
  const path = pathOf(id, "/events")
  return useRead<AccountEventsResponse>(["account-events", id], path, { retry: isWorthAsking })
}

/** Labels by id, for filters and rows; empty until they are loaded. */
export function useAccountNames(): ReadonlyMap<string, string> {
  const { say } = useWords()
  const { data } = useRead<AccountsResponse>(["accounts"], `${BASE}/accounts`, {
    retry: false,
    staleTime: HEALTH_EVERY_MS,
  })
  return useMemo(
    () => new Map(data?.accounts.map((account) => [account.id, accountName(say, account)])),
    [data, say],
  )
}

/** The environment's account has no label of its own. */
export function accountName(say: Say, { source, label }: AccountResponse): string {
  return source === "environment" ? say("accounts.environmentName") : label
}

export function useHealth() {
  return useQuery({
    queryKey: [OURS, "health"],
    queryFn: ({ signal }) => readHealth(signal),
    refetchInterval: HEALTH_EVERY_MS,
  })
}

/** A `down` store responds with 503 for uptime tools; its lines are in the body. */
async function readHealth(signal: AbortSignal): Promise<HealthResponse> {
  try {
    return await call<HealthResponse>(HEALTH_PATH, { signal })
  } catch (error) {
    if (!(error instanceof ApiError) || !isHealth(error.details)) throw error
    return error.details
  }
}

function isHealth(body: unknown): body is HealthResponse {
  return isRecord(body) && body["status"] === "down" && Array.isArray(body["checks"])
}

export function useRegions() {
  return useRead<RegionsResponse>(["regions"], `${BASE}/regions`, { retry: isWorthAsking })
}

export const accountActs = {
  add: (body: AccountBody) =>
    call<OneAccountResponse>(`${BASE}/accounts`, { method: "POST", body }),
  change: ({ id, body }: { readonly id: string; readonly body: AccountChangeBody }) =>
    call<OneAccountResponse>(pathOf(id), { method: "POST", body }),
  remove: (id: string) => call<AccountDeletedResponse>(pathOf(id), { method: "DELETE" }),
  dropCredential: (id: string, credentialId: string) =>
    call<AccountDeletedResponse>(pathOf(id, `/credentials/${encodeURIComponent(credentialId)}`), {
      method: "DELETE",
    }),
  /** Tests typed values that are not saved; `new` for a new account. */
  test: ({ id, body }: { readonly id: string; readonly body: AccountBody }) =>
    call<ConnectionTestResponse>(pathOf(id, "/test"), { method: "POST", body }),
  enable: (regionId: string) =>
    call<RegionEnabledResponse>(`${BASE}/regions/${encodeURIComponent(regionId)}/enable`, {
      method: "POST",
      body: {},
    }),
}

/** An account as the form holds it: all text. */
export type AccountDraft = Readonly<ReturnType<typeof draftOf>>

/** Defaults, the same as the store's for missing fields. */
export const NEW_DRAFT: AccountDraft = {
  label: "",
  base_url: "",
  client_id: "",
  client_secret: "",
  source_kind: "ORDER",
  fee_bearer: "",
  order_placement: "pay_first",
  currencies: "",
  push_window_minutes: "30",
  hosted_window_minutes: "60",
  is_default: false,
  refund_orphans: false,
  refund_currency: "",
  refund_second_admin_above: "",
  money_out: false,
  money_out_daily_cap: "",
  money_out_second_admin_above: "",
  money_out_by_api_key: false,
  wire_names: "",
  realtime_url: "",
}

export function draftOf(account: AccountResponse) {
  const { policies } = account
  const names = Object.entries(account.wire_names)
  return {
    label: account.label,
    base_url: account.base_url,
    client_id: account.client_id ?? "",
    /** Empty: the stored secret stays. */
    client_secret: "",
    source_kind: account.source_kind,
    fee_bearer: account.fee_bearer ?? ("" as const),
    order_placement: account.order_placement,
    currencies: account.currencies.join(", "),
    push_window_minutes: String(account.push_window_minutes),
    hosted_window_minutes: String(account.hosted_window_minutes),
    is_default: account.is_default,
    refund_orphans: policies.refund_orphans,
    refund_currency: policies.refund_currency ?? ("" as const),
    refund_second_admin_above: amountsText(policies.refund_second_admin_above),
    money_out: policies.money_out,
    money_out_daily_cap: amountsText(policies.money_out_daily_cap),
    money_out_second_admin_above: amountsText(policies.money_out_second_admin_above),
    money_out_by_api_key: policies.money_out_by_api_key,
    wire_names: names.map(([name, value]) => `${name} = ${value}`).join("\n"),
    realtime_url: account.realtime_url ?? "",
  }
}

/** As typed: `LRD 50000, USD 300`. */
function amountsText(amounts: Readonly<Record<string, number>> | null): string {
  return Object.entries(amounts ?? {})
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(", ")
}

const AMOUNTS = [
  "refund_second_admin_above",
  "money_out_daily_cap",
  "money_out_second_admin_above",
] as const

/** A field that can't be read; the form marks it. */
export type DraftProblem = (typeof AMOUNTS)[number] | "wire_names"

export function bodyOf(draft: AccountDraft): AccountBody | DraftProblem {
  const amounts = AMOUNTS.map((field) => [field, amountsIn(draft[field])] as const)
  const unread = amounts.find(([, read]) => read === undefined)
  if (unread) return unread[0]
  const wireNames = namesIn(draft.wire_names)
  if (wireNames === undefined) return "wire_names"
  return {
    label: draft.label,
    base_url: draft.base_url,
    ...(draft.client_id.trim() && { client_id: draft.client_id.trim() }),
    ...(draft.client_secret && { client_secret: draft.client_secret }),
    source_kind: draft.source_kind,
    fee_bearer: draft.fee_bearer || null,
    order_placement: draft.order_placement,
    currencies: partsOf(draft.currencies, /[,\s]+/).map((code) => code.toUpperCase()),
    push_window_minutes: Number(draft.push_window_minutes),
    hosted_window_minutes: Number(draft.hosted_window_minutes),
    is_default: draft.is_default,
    policies: {
      refund_orphans: draft.refund_orphans,
      refund_currency: draft.refund_currency || null,
      ...Object.fromEntries(amounts),
      money_out: draft.money_out,
      money_out_by_api_key: draft.money_out_by_api_key,
    },
    wire_names: wireNames,
    realtime_url: draft.realtime_url.trim() || null,
  }
}

function amountsIn(text: string): Record<string, number> | null | undefined {
  const parts = partsOf(text, /,/)
  if (parts.length === 0) return null
  const found = parts.map((part) => /^([a-z]{3}|\*)\s*(\d+(?:\.\d+)?)$/i.exec(part))
  if (found.some((match) => match === null)) return undefined
  return Object.fromEntries(
    found.map((match) => [(match?.[1] ?? "").toUpperCase(), Number(match?.[2])]),
  )
}

function namesIn(text: string): Record<string, string> | undefined {
  const found = partsOf(text, /\n/).map((line) => /^([^=\s]+)\s*=\s*(\S.*)$/.exec(line))
  if (found.some((match) => match === null)) return undefined
  return Object.fromEntries(found.map((match) => [match?.[1] ?? "", match?.[2]?.trim() ?? ""]))
}

const partsOf = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean)
