/** Queries and actions of the pages, with React Query. Every action reloads all queries. */
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
} from "@tanstack/react-query"
import { toast } from "@medusajs/ui"
import type {
  AdminReceiptResponse,
  OperationResponse,
  OperationDetail,
  OperationList,
  OrderPaymentsResponse,
} from "./responses"
import { call, isWorthAsking, type Query } from "./api"
import { DETAIL_EVERY_MS, LIST_EVERY_MS, ORDER_EVERY_MS } from "./pauses"
import { useWords } from "./words"

export const BASE = "/admin/merchant-payments"
export const OURS = "merchant-payments"

const pathOf = (id: string, rest = "") => `${BASE}/operations/${encodeURIComponent(id)}${rest}`

/** @param query null: nothing can match, so the store is not asked */
export function useOperations(query: Query | null) {
  return useQuery({
    queryKey: [OURS, "list", query],
    queryFn: ({ signal }) =>
      call<OperationList>(`${BASE}/operations`, { query: query ?? {}, signal }),
    enabled: query !== null,
    placeholderData: query === null ? undefined : keepPreviousData,
    refetchInterval: LIST_EVERY_MS,
    retry: isWorthAsking,
  })
}

/** How many operations need attention; 0 until it is loaded. */
export function useAttentionCount(everyMs: number): number {
  const { data } = useQuery({
    queryKey: [OURS, "attention"],
    queryFn: ({ signal }) =>
      call<OperationList>(`${BASE}/operations`, {
        query: { needs_attention: true, limit: 1 },
        signal,
      }),
    refetchInterval: everyMs,
    // The pages report a store that does not answer; the menu has no place for it.
    retry: false,
  })
  return data?.count ?? 0
}

export function useOperation(id: string) {
  return useQuery({
    queryKey: [OURS, "one", id],
    queryFn: ({ signal }) => call<{ operation: OperationDetail }>(pathOf(id), { signal }),
    refetchInterval: DETAIL_EVERY_MS,
    retry: isWorthAsking,
  })
}

export function useOrderPayments(orderId: string) {
  return useQuery({
    queryKey: [OURS, "order", orderId],
    queryFn: ({ signal }) =>
      call<OrderPaymentsResponse>(`${BASE}/orders/${encodeURIComponent(orderId)}`, { signal }),
    refetchInterval: ORDER_EVERY_MS,
    retry: isWorthAsking,
  })
}

export function useReceipt(id: string) {
  return useQuery({
    queryKey: [OURS, "receipt", id],
    queryFn: ({ signal }) =>
      call<{ receipt: AdminReceiptResponse }>(pathOf(id, "/receipt"), { signal }),
    retry: false,
  })
}

/** The part of a Medusa order that is displayed beside a payment. */
export type MedusaOrder = {
  readonly display_id: number
  readonly status: string
  readonly payment_status: string
  readonly currency_code: string
  readonly total: number
  readonly summary: { readonly paid_total: number; readonly pending_difference: number } | null
}

export function useMedusaOrder(orderId: string | null) {
  return useQuery({
    queryKey: [OURS, "medusa-order", orderId],
    queryFn: async ({ signal }) => {
      const path = `/admin/orders/${encodeURIComponent(orderId ?? "")}`
      const query = { fields: "display_id,status,payment_status,currency_code,total,summary" }
      return (await call<{ order: MedusaOrder }>(path, { query, signal })).order
    },
    enabled: orderId !== null,
  })
}

/** The e-mail address of an admin; the id if it can't be read. */
export function useAdminName(id: string | null): string | null {
  const { data, isLoading } = useQuery({
    queryKey: [OURS, "admin", id],
    queryFn: async ({ signal }) => {
      const path = `/admin/users/${encodeURIComponent(id ?? "")}`
      return (await call<{ user: { email: string } }>(path, { signal })).user.email
    },
    enabled: id !== null && id.startsWith("user_"),
    staleTime: Infinity,
    retry: false,
  })
  // Null while loading: an id that turns into a name reads like two persons.
  return isLoading ? null : (data ?? id)
}

/** An action. Its refusal is shown in a toast, and stays in `error` for the page. */
export function useAct<In, Out>(
  act: (given: In) => Promise<Out>,
  done?: (out: Out) => void,
): UseMutationResult<Out, Error, In> {
  const client = useQueryClient()
  const { problem } = useWords()
  return useMutation<Out, Error, In>({
    mutationFn: act,
    onSuccess: done,
    onError: (error) => {
      toast.error(problem(error))
    },
    // Also after a refusal, because another admin may have been first.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [OURS] }),
        client.invalidateQueries({ queryKey: ["orders"] }),
      ]),
  })
}

export type Resolve = {
  readonly action: "accept" | "refund" | "dismiss"
  readonly note: string
  /** For a refund: the amount that the confirmation showed. */
  readonly expected_amount?: number
}

export const act = {
  check: (id: string) =>
    call<OperationResponse>(pathOf(id, "/check"), { method: "POST", body: {} }),
  resolve: (id: string, body: Resolve) =>
    call<OperationResponse>(pathOf(id, "/resolve"), { method: "POST", body }),
  paymentIntent: (id: string, paymentIntentId: number) =>
    call<{ operation: OperationDetail }>(pathOf(id, "/payment-intent"), {
      method: "POST",
      body: { payment_intent_id: paymentIntentId },
    }),
  retry: (id: string) =>
    call<OperationResponse>(pathOf(id, "/retry"), { method: "POST", body: {} }),
}
