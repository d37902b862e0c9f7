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
  RegionDisabledResponse,
  RegionEnabledResponse,
  RegionsResponse,
} from "./responses"
import { ApiError, call, isRecord, post } from "./api"
import { HEALTH_EVERY_MS } from "./pauses"
import { ownZone } from "./period"
import { BASE, OURS, useRead } from "./queries"
import { useWords, type Say } from "./words"

const pathOf = (id: string, rest = "") => `${BASE}/accounts/${encodeURIComponent(id)}${rest}`

export const HEALTH_PATH = `${BASE}/health`

/** A client that is refused is tried again by the store, so its account is read again too. */
export function useAccounts() {
  return useRead<AccountsResponse>(["accounts"], `${BASE}/accounts`, {
    refetchInterval: ({ state }) =>
      state.data?.accounts.some(({ state_code: code }) => code === "client_refused")
        ? HEALTH_EVERY_MS
        : false,
  })
}

/** Changes of an account, newest first. */
export function useAccountEvents(id: string) {
  return useRead<AccountEventsResponse>(["account-events", id], pathOf(id, "/events"))
}

/**
 * The time zone by whose days the admin's pages and files count: the shop's, where it has set one,
 * else the browser's; undefined until the store has said it.
 */
export function useShopZone(): string | undefined {
  const { data, isError } = useRead<AccountsResponse>(["accounts"], `${BASE}/accounts`, {
    staleTime: HEALTH_EVERY_MS,
  })
  return data || isError ? (data?.time_zone ?? ownZone()) : undefined
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
  return useRead<RegionsResponse>(["regions"], `${BASE}/regions`)
}

export const accountActs = {
  add: (body: AccountBody) => post<OneAccountResponse>(`${BASE}/accounts`, body),
  change: (id: string, body: AccountChangeBody) => post<OneAccountResponse>(pathOf(id), body),
  remove: (id: string) => call<AccountDeletedResponse>(pathOf(id), { method: "DELETE" }),
  dropCredential: (id: string, credentialId: string) =>
    call<AccountDeletedResponse>(pathOf(id, `/credentials/${encodeURIComponent(credentialId)}`), {
      method: "DELETE",
    }),
  /** Tests typed values that are not saved; `new` for a new account. */
  test: (id: string, body: AccountBody) => post<ConnectionTestResponse>(pathOf(id, "/test"), body),
  enable: (regionId: string) =>
    post<RegionEnabledResponse>(`${BASE}/regions/${encodeURIComponent(regionId)}/enable`),
  disable: (regionId: string) =>
    post<RegionDisabledResponse>(`${BASE}/regions/${encodeURIComponent(regionId)}/disable`),
}
