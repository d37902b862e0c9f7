/** The comparison of some days: read, begun again, and as a file. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { PeriodTotals, ReconciliationResponse } from "./responses"
import { ApiError, isWorthAsking } from "./api"
import { ask, downloadFrom } from "./endpoints"
import type { Days } from "./period"
import { OURS } from "./queries"

const ROUTE = "GET reconciliation"
/** Pause between polls of a comparison, which takes seconds, or minutes if the gateway is slow. */
const RUNNING_EVERY_MS = 3_000

const keyOf = ({ from, to, time_zone }: Days) => [OURS, "reconciliation", from, to, time_zone]

/** Another comparison is under way: one runs at a time. */
const isBusy = (error: Error) =>
  error instanceof ApiError && error.code === "reconciliation_running"

/**
 * The first read begins a comparison if none is stored, or only an old one; then it polls until the
 * comparison has ended.
 */
export function useReconciliation(days: Days) {
  const client = useQueryClient()
  const queryKey = keyOf(days)
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      // A poll begins nothing: a comparison that ends the store's process is not begun again and
      // again.
      const isPoll = client.getQueryData<ReconciliationResponse>(queryKey)?.is_running
      const query = isPoll ? { ...days, fresh: false } : days
      return ask(ROUTE, { query }, signal)
    },
    // Comparing asks the gateway, so only the button repeats it.
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.data?.is_running ? RUNNING_EVERY_MS : false),
    retry: (failures, error) => isBusy(error) || isWorthAsking(failures, error),
    retryDelay: RUNNING_EVERY_MS,
  })
}

/** Begins a comparison, or joins another admin's; `useReconciliation` follows it. */
export function useCompareAgain(days: Days) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(ROUTE, { query: { ...days, fresh: true } }),
    onSuccess: (answer) => client.setQueryData(keyOf(days), answer),
  })
}

/** Whether the gateway took money whose place nothing says, or places hold more than it took. */
export function hasRemainder({ bridge }: PeriodTotals): boolean {
  if (!bridge) return false
  return bridge.remainder.count !== 0 || Number(bridge.remainder.amount) !== 0
}

export function usePeriodFile(days: Days) {
  return useMutation({
    mutationFn: (only?: "differences") =>
      downloadFrom(ROUTE, { query: { ...days, format: "csv", only } }),
    // The stored comparison was too old for a file. The file is there when the new one has ended.
    retry: (_failures, error) => isBusy(error),
    retryDelay: RUNNING_EVERY_MS,
  })
}
