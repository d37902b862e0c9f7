/** The comparison of some days: read, made again, and as a file. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ReconciliationAnswer } from "./answers"
import { ApiError, call, download, isWorthAsking } from "./api"
import type { Days } from "./period"
import { BASE, OURS } from "./queries"

const PATH = `${BASE}/reconciliation`
/** While another admin's comparison runs; it takes seconds. */
const RUNNING_EVERY_MS = 3_000
/** After these the page shows the error: the server's own lease is a minute. */
const RUNNING_TRIES_MAX = 20

const keyOf = ({ from, to }: Days) => [OURS, "reconciliation", from, to]

const isBusy = (error: Error) =>
  error instanceof ApiError && error.code === "reconciliation_running"

export function useReconciliation(days: Days) {
  return useQuery({
    queryKey: keyOf(days),
    queryFn: ({ signal }) => call<ReconciliationAnswer>(PATH, { query: days, signal }),
    // Comparing asks the gateway, so only the button repeats it.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.is_running ? RUNNING_EVERY_MS : false),
    retry: (failures, error) =>
      isBusy(error) ? failures < RUNNING_TRIES_MAX : isWorthAsking(failures, error),
    retryDelay: RUNNING_EVERY_MS,
  })
}

export function useCompareAgain(days: Days) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call<ReconciliationAnswer>(PATH, { query: { ...days, fresh: true } }),
    onSuccess: (answer) => {
      client.setQueryData(keyOf(days), answer)
      // The comparison may have put payments under review.
      return client.invalidateQueries({ queryKey: [OURS, "attention"] })
    },
  })
}

export function useBooksFile(days: Days) {
  return useMutation({
    mutationFn: async (only?: "differences") => {
      const file = await download(PATH, { query: { ...days, format: "csv", only } })
      const address = URL.createObjectURL(file.content)
      const link = document.createElement("a")
      link.href = address
      link.download = file.name
      link.click()
      URL.revokeObjectURL(address)
    },
  })
}
