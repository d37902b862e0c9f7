/** Reads and changes accounts, the setup check and the regions. */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { AccountBody, AccountChangeBody, AccountResponse, HealthResponse } from "./responses"
import { ApiError, isRecord } from "./api"
import { ask, BASE } from "./endpoints"
import { HEALTH_EVERY_MS } from "./pauses"
import { ownZone } from "./period"
import { OURS, useRead } from "./queries"
import { useWords, type Say } from "./words"

export const HEALTH_PATH = `${BASE}/health`

/** A client that is refused is tried again by the store, so its account is read again too. */
export function useAccounts() {
  return useRead(
    "GET accounts",
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.accounts.some(({ state_code: code }) => code === "client_refused")
          ? HEALTH_EVERY_MS
          : false,
    },
  )
}

/** Changes of an account, newest first. */
export function useAccountEvents(id: string) {
  return useRead("GET accounts/:id/events", { id })
}

/**
 * The time zone by whose days the admin's pages and files count: the shop's, where it has set one,
 * else the browser's; undefined until the store has said it.
 */
export function useShopZone(): string | undefined {
  const { data, isError } = useRead(
    "GET accounts",
    {},
    {
      staleTime: HEALTH_EVERY_MS,
    },
  )
  return data || isError ? (data?.time_zone ?? ownZone()) : undefined
}

/** Labels by id, for filters and rows; empty until they are loaded. */
export function useAccountNames(): ReadonlyMap<string, string> {
  const { say } = useWords()
  const { data } = useRead(
    "GET accounts",
    {},
    {
      retry: false,
      staleTime: HEALTH_EVERY_MS,
    },
  )
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
    return await ask("GET health", {}, signal)
  } catch (error) {
    if (!(error instanceof ApiError) || !isHealth(error.details)) throw error
    return error.details
  }
}

function isHealth(body: unknown): body is HealthResponse {
  return isRecord(body) && body["status"] === "down" && Array.isArray(body["checks"])
}

export function useRegions() {
  return useRead("GET regions", {})
}

export const accountActs = {
  add: (body: AccountBody) => ask("POST accounts", { body }),
  change: (id: string, body: AccountChangeBody) => ask("POST accounts/:id", { id, body }),
  remove: (id: string) => ask("DELETE accounts/:id", { id }),
  dropCredential: (id: string, credential_id: string) =>
    ask("DELETE accounts/:id/credentials/:credential_id", { id, credential_id }),
  /** Tests typed values that are not saved; `new` for a new account. */
  test: (id: string, body: AccountBody) =>
    ask("POST accounts/:id/:action", { id, action: "test", body }),
  enable: (id: string) => ask("POST regions/:id/enable", { id, body: {} }),
  disable: (id: string) => ask("POST regions/:id/disable", { id }),
}
