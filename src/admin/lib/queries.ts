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
import type { OperationList, RequestAnsweredResponse, RequestResponse } from "./responses"
import { call, isWorthAsking, type Query } from "./api"
import {
  ask,
  downloadFrom,
  type AdminRoutes,
  type Answer,
  type Route,
  type Sent,
} from "./endpoints"
import {
  DETAIL_EVERY_MS,
  LINK_EVERY_MS,
  LIST_EVERY_MS,
  ORDER_EVERY_MS,
  TOTALS_EVERY_MS,
} from "./pauses"
import { useWords } from "./words"
import type { WordKey } from "../i18n/words"

export const OURS = "merchant-payments"

type Options<T> = Omit<UseQueryOptions<T>, "queryKey" | "queryFn">

/** Reads a route of the plugin; the same question is asked once for all of a page. */
export function useRead<Key extends Route>(
  key: Key,
  sent: Sent<Key>,
  options: Options<Answer<AdminRoutes[Key]>> = {},
) {
  return useQuery<Answer<AdminRoutes[Key]>>({
    queryKey: [OURS, key, sent],
    queryFn: ({ signal }) => ask(key, sent, signal),
    retry: isWorthAsking,
    ...options,
  })
}

/** Reads a route of Medusa. */
function useMedusa<T>(path: string, options: Options<T>) {
  return useQuery<T>({
    queryKey: [OURS, path],
    queryFn: ({ signal }) => call<T>(path, { signal }),
    retry: false,
    staleTime: Infinity,
    ...options,
  })
}

function useList(query: Query, refetchInterval: number) {
  return useQuery<OperationList>({
    queryKey: [OURS, "list", query],
    queryFn: ({ signal }) =>
      isSearch(query)
        ? ask("POST operations/search", { body: withoutNulls(query) }, signal)
        : ask("GET operations", { query }, signal),
    retry: isWorthAsking,
    refetchInterval,
    placeholderData: keepPreviousData,
  })
}

/** A search goes in a body, because addresses stand in logs. */
const isSearch = (query: Query) => query["q"] !== undefined

const withoutNulls = (query: Query) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null))

export function useOperations(query: Query) {
  return useList(query, LIST_EVERY_MS)
}

/** What all pages of a list add up to. */
export function useTotals({ offset: _offset, order: _order, ...filters }: Query) {
  return useList({ ...filters, limit: 1, totals: true }, TOTALS_EVERY_MS)
}

/** The list as a file, all pages of it, with the times of `zone`; without one, of the shop's. */
export function useListFile(
  { offset: _offset, limit: _limit, order: _order, ...filters }: Query,
  zone: string | undefined,
) {
  const query = { ...filters, format: "csv", time_zone: zone }
  return useMutation({
    mutationFn: () =>
      isSearch(query)
        ? downloadFrom("POST operations/search", { body: withoutNulls(query) })
        : downloadFrom("GET operations", { query }),
  })
}

/** What waits for a second admin: money and, if the admin may manage accounts, account changes. */
export function useRequests() {
  return useRead(
    "GET requests",
    {},
    {
      refetchInterval: LIST_EVERY_MS,
      retry: false,
    },
  )
}

/** How many operations and requests need attention; 0 until they are loaded. */
export function useAttentionCount(everyMs: number): number {
  const { data: asked } = useRequests()
  const query = { needs_attention: true, limit: 1 }
  const { data } = useRead(
    "GET operations",
    { query },
    {
      refetchInterval: everyMs,
      // The pages report a store that does not answer; the menu has no place for it.
      retry: false,
    },
  )
  return (data?.count ?? 0) + (asked?.requests.length ?? 0)
}

export function useOperation(id: string) {
  return useRead("GET operations/:id", { id }, { refetchInterval: DETAIL_EVERY_MS })
}

export function useOrderPayments(orderId: string) {
  return useRead(
    "GET orders/:id",
    { id: orderId },
    {
      refetchInterval: ({ state }) =>
        state.data?.operations.some(({ prompt }) => prompt) ? LINK_EVERY_MS : ORDER_EVERY_MS,
    },
  )
}

/** The customer's receipt as a page of HTML, and the customer's link to it. */
export function useReceiptPage(id: string, language: string) {
  const query = { lang: language }
  return useRead("GET operations/:id/receipt-page", { id, query }, { retry: false })
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
  const { data, isLoading } = useMedusa<Actor>(`${path ?? ""}${encodeURIComponent(id ?? "")}`, {
    enabled: path !== undefined,
  })
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
  const { data } = useMedusa<{ user: { id: string } }>("/admin/users/me", {})
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

export type Resolve = Sent<"POST operations/:id/resolve">["body"]

/** The routes that answer a request, by what it is about. */
const ANSWERED_AT = {
  PAYOUT: "POST payout-requests/:id/:action",
  TRANSFER: "POST payout-requests/:id/:action",
  REFUND: "POST refund-requests/:id/:action",
  ACCOUNT: "POST account-changes/:id/:action",
} as const

/** @param note why; "" if nothing was written */
export function answerRequest(
  { id, kind }: Pick<RequestResponse, "id" | "kind">,
  action: "approve" | "refuse",
  note: string,
): Promise<RequestAnsweredResponse> {
  const body = note.trim() === "" ? {} : { note: note.trim() }
  return ask(ANSWERED_AT[kind ?? "PAYOUT"], { id, action, body })
}

export const act = {
  check: (id: string) => ask("POST operations/:id/check", { id, body: {} }),
  resolve: (id: string, body: Resolve) => ask("POST operations/:id/resolve", { id, body }),
  paymentIntent: (id: string, payment_intent_id: number) =>
    ask("POST operations/:id/payment-intent", { id, body: { payment_intent_id } }),
  renewReceiptLink: (id: string) => ask("POST operations/:id/receipt-link", { id, body: {} }),
  retry: (id: string) => ask("POST operations/:id/retry", { id, body: {} }),
  cancelOrder: (id: string, order_id: string) =>
    ask("POST operations/:id/cancel-order", { id, body: { order_id } }),
}
