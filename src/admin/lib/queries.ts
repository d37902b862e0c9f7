/** Queries and actions of the pages, with React Query. Every action reloads all queries. */
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryOptions,
} from "@tanstack/react-query"
import { useOrder } from "@medusajs/dashboard/hooks"
import { toast } from "@medusajs/ui"
import type {
  OperationResponse,
  OperationDetail,
  OperationList,
  OrderPaymentsResponse,
  ReceiptPageResponse,
  RequestAnsweredResponse,
  RequestResponse,
  RequestsResponse,
} from "./responses"
import { call, download, isWorthAsking, post, type Query } from "./api"
import {
  DETAIL_EVERY_MS,
  LINK_EVERY_MS,
  LIST_EVERY_MS,
  ORDER_EVERY_MS,
  TOTALS_EVERY_MS,
} from "./pauses"
import { useWords } from "./words"
import type { WordKey } from "../i18n/words"

export const BASE = "/admin/merchant-payments"
export const OURS = "merchant-payments"

const OPERATIONS = `${BASE}/operations`
const pathOf = (id: string, rest = "") => `${OPERATIONS}/${encodeURIComponent(id)}${rest}`

type Reading<T> = Omit<UseQueryOptions<T>, "queryKey" | "queryFn"> & { readonly query?: Query }

/** Reads a response of the store, and caches it under `key`. */
export function useRead<T>(key: readonly unknown[], path: string, given: Reading<T> = {}) {
  const { query, ...options } = given
  return useQuery<T>({
    queryKey: [OURS, ...key],
    queryFn: ({ signal }) => call<T>(path, { query, signal }),
    retry: isWorthAsking,
    ...options,
  })
}

function useList(key: string, query: Query, refetchInterval: number) {
  const { path, ...asked } = listed(query)
  return useQuery<OperationList>({
    queryKey: [OURS, key, query],
    queryFn: ({ signal }) => call<OperationList>(path, { ...asked, signal }),
    retry: isWorthAsking,
    refetchInterval,
    placeholderData: keepPreviousData,
  })
}

/** A search goes in a body, because addresses stand in logs. */
function listed(query: Query): { path: string; method?: "POST"; query?: Query; body?: object } {
  if (query["q"] === undefined) return { path: OPERATIONS, query }
  const body = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null))
  return { path: `${OPERATIONS}/search`, method: "POST", body }
}

export function useOperations(query: Query) {
  return useList("list", query, LIST_EVERY_MS)
}

/** What all pages of a list add up to. */
export function useTotals({ offset: _offset, order: _order, ...filters }: Query) {
  return useList("totals", { ...filters, limit: 1, totals: true }, TOTALS_EVERY_MS)
}

/** The list as a file, all pages of it, with the times of `zone`; without one, of the shop's. */
export function useListFile(
  { offset: _offset, limit: _limit, order: _order, ...filters }: Query,
  zone: string | undefined,
) {
  const query = { ...filters, format: "csv", time_zone: zone }
  const { path, ...asked } = listed(query)
  return useMutation({ mutationFn: () => download(path, asked) })
}

/** What waits for a second admin: money and, if the admin may manage accounts, account changes. */
export function useRequests() {
  return useRead<RequestsResponse>(["requests"], `${BASE}/requests`, {
    refetchInterval: LIST_EVERY_MS,
    retry: false,
  })
}

/** How many operations and requests need attention; 0 until they are loaded. */
export function useAttentionCount(everyMs: number): number {
  const { data: asked } = useRequests()
  const { data } = useRead<OperationList>(["attention"], OPERATIONS, {
    query: { needs_attention: true, limit: 1 },
    refetchInterval: everyMs,
    // The pages report a store that does not answer; the menu has no place for it.
    retry: false,
  })
  return (data?.count ?? 0) + (asked?.requests.length ?? 0)
}

export function useOperation(id: string) {
  const options = { refetchInterval: DETAIL_EVERY_MS }
  return useRead<{ operation: OperationDetail }>(["one", id], pathOf(id), options)
}

export function useOrderPayments(orderId: string) {
  const path = `${BASE}/orders/${encodeURIComponent(orderId)}`
  return useRead<OrderPaymentsResponse>(["order", orderId], path, {
    refetchInterval: ({ state }) =>
      state.data?.operations.some(({ prompt }) => prompt) ? LINK_EVERY_MS : ORDER_EVERY_MS,
  })
}

/** The customer's receipt as a page of HTML, and the customer's link to it. */
export function useReceiptPage(id: string, language: string) {
  const path = pathOf(id, "/receipt-page")
  return useRead<{ receipt_page: ReceiptPageResponse }>(["receipt", id, language], path, {
    query: { lang: language },
    retry: false,
  })
}

/** A Medusa order, as far as it is displayed beside a payment. */
export function useMedusaOrder(orderId: string | null) {
  const fields =
    "display_id,status,payment_status,currency_code,total,summary," +
    "payment_collections.payments.id,payment_collections.payments.payment_session.id"
  return useOrder(orderId ?? "", { fields }, { enabled: orderId !== null }).order
}

type Actor = {
  readonly user?: {
    readonly email: string
    readonly first_name?: string | null
    readonly last_name?: string | null
  }
  readonly api_key?: { readonly title: string }
}

/** Where Medusa has the name of a login or of an API key, by the beginning of its id. */
const ACTORS = { user_: "/admin/users/", apk_: "/admin/api-keys/" } as const

/**
 * An admin's name, else the e-mail address; the title of an API key; the id if it can't be read. Who
 * asked for a refund whose row was lost is unknown: the gateway does not say.
 */
export function useAdminName(id: string | null): string | null {
  const [, path] = Object.entries(ACTORS).find(([begin]) => id?.startsWith(begin)) ?? []
  const { data, isLoading } = useRead<Actor>(
    ["admin", id],
    `${path ?? ""}${encodeURIComponent(id ?? "")}`,
    { enabled: path !== undefined, staleTime: Infinity, retry: false },
  )
  const { say } = useWords()
  if (id === "unknown") return say("refunds.askedBeforeRestore")
  // Null while loading: an id that turns into a name reads like two persons.
  return isLoading ? null : (nameOf(data) ?? id)
}

function nameOf({ user, api_key }: Actor = {}): string | undefined {
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(" ")
  return name || user?.email || api_key?.title
}

/** The id of the admin who is logged in; undefined until it is known. */
export function useOwnId(): string | undefined {
  const { data } = useRead<{ user: { id: string } }>(["me"], "/admin/users/me", {
    staleTime: Infinity,
    retry: false,
  })
  return data?.user.id
}

/**
 * An action. Its refusal is shown in a toast, and stays in `error` for the page.
 *
 * @param done what to do after success; a text's key is shown as that text in a toast
 */
export function useAct<Out, In = void>(
  act: (given: In) => Promise<Out>,
  done?: WordKey | ((out: Out) => void),
): UseMutationResult<Out, Error, In> {
  const client = useQueryClient()
  const { say, problem } = useWords()
  return useMutation<Out, Error, In>({
    mutationFn: act,
    onSuccess: typeof done === "string" ? () => void toast.success(say(done)) : done,
    onError: (error) => void toast.error(problem(error)),
    // Also after a refusal, because another admin may have been first.
    onSettled: () =>
      Promise.all([OURS, "orders"].map((of) => client.invalidateQueries({ queryKey: [of] }))),
  })
}

export type Resolve = {
  readonly action: "accept" | "accept_asked" | "refund" | "refund_rest" | "dismiss"
  readonly note: string
  /** For a refund: the amount that the confirmation showed. */
  readonly expected_amount?: number
}

/** The routes that answer a request, by what it is about. */
const ANSWERED_AT = {
  PAYOUT: "payout-requests",
  TRANSFER: "payout-requests",
  REFUND: "refund-requests",
  ACCOUNT: "account-changes",
} as const

/** @param note why; "" if nothing was written */
export function answerRequest(
  { id, kind }: Pick<RequestResponse, "id" | "kind">,
  action: "approve" | "refuse",
  note: string,
): Promise<RequestAnsweredResponse> {
  const path = `${BASE}/${ANSWERED_AT[kind ?? "PAYOUT"]}/${encodeURIComponent(id)}/${action}`
  return post(path, note.trim() === "" ? {} : { note: note.trim() })
}

export const act = {
  check: (id: string) => post<OperationResponse>(pathOf(id, "/check")),
  resolve: (id: string, body: Resolve) => post<OperationResponse>(pathOf(id, "/resolve"), body),
  paymentIntent: (id: string, payment_intent_id: number) =>
    post<{ operation: OperationDetail }>(pathOf(id, "/payment-intent"), { payment_intent_id }),
  renewReceiptLink: (id: string) =>
    post<{ receipt_url: string | null }>(pathOf(id, "/receipt-link")),
  retry: (id: string) => post<OperationResponse>(pathOf(id, "/retry")),
  cancelOrder: (id: string, order_id: string) =>
    post<OperationResponse>(pathOf(id, "/cancel-order"), { order_id }),
}
