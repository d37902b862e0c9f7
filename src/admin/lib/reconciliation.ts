/** The comparison of some days: read, begun again, and as a file. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { PeriodTotals, ReconciliationResponse } from "./responses"
import { ApiError, call, download, isWorthAsking } from "./api"
import type { Days } from "./period"
import { BASE, OURS } from "./queries"

const PATH = `${BASE}/reconciliation`
/** While a comparison runs; it takes seconds, or minutes where the gateway is slow. */
const RUNNING_EVERY_MS = 3_000

const keyOf = ({ from, to, time_zone }: Days) => [OURS, "reconciliation", from, to, time_zone]

/** Another comparison is under way: one runs at a time. */
const isBusy = (error: Error) =>
  error instanceof ApiError && error.code === "reconciliation_running"

/**
 * Opened, it begins a comparison where none is kept, or an old one; then it polls while that runs.
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
      return call<ReconciliationResponse>(PATH, { query, signal })
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
    mutationFn: () => call<ReconciliationResponse>(PATH, { query: { ...days, fresh: true } }),
    onSuccess: (answer) => client.setQueryData(keyOf(days), answer),
  })
}

/** Money that the gateway took and whose place nothing says, or the other way round. */
export function hasRemainder({ bridge }: PeriodTotals): boolean {
  if (!bridge) return false
  return bridge.remainder.count !== 0 || Number(bridge.remainder.amount) !== 0
}

export function usePeriodFile(days: Days) {
  return useMutation({
    mutationFn: (only?: "differences") =>
      download(PATH, { query: { ...days, format: "csv", only } }),
    // What is shown was too old for a file: it is there when the comparison has ended.
    retry: (_failures, error) => isBusy(error),
    retryDelay: RUNNING_EVERY_MS,
  })
}
