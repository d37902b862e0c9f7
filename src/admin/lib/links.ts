/** The payment link of an order: its state and its actions. */
import { useQuery } from "@tanstack/react-query"
import type { OperationResponse, PaymentLinkResponse } from "./responses"
import { call, isWorthAsking } from "./api"
import { LINK_EVERY_MS, ORDER_EVERY_MS } from "./pauses"
import { BASE, OURS } from "./queries"

const pathOf = (orderId: string) => `${BASE}/orders/${encodeURIComponent(orderId)}/payment-link`

/** States in which a change may come soon. */
const LIVE = ["being_made", "open", "being_paid", "closing", "processing"]

export function isLiveLink(link: PaymentLinkResponse["payment_link"] | undefined): boolean {
  return link !== null && link !== undefined && LIVE.includes(link.state)
}

export function usePaymentLink(orderId: string) {
  return useQuery({
    queryKey: [OURS, "link", orderId],
    queryFn: ({ signal }) => call<PaymentLinkResponse>(pathOf(orderId), { signal }),
    refetchInterval: ({ state }) =>
      isLiveLink(state.data?.payment_link) ? LINK_EVERY_MS : ORDER_EVERY_MS,
    retry: isWorthAsking,
  })
}

export const linkActs = {
  make: ({ orderId, phone }: { readonly orderId: string; readonly phone: string }) =>
    call<PaymentLinkResponse>(pathOf(orderId), {
      method: "POST",
      body: phone.trim() === "" ? {} : { phone: phone.trim() },
    }),
  /** Asks the gateway for the address again. */
  async again({ orderId, id }: { readonly orderId: string; readonly id: string }) {
    const path = `${BASE}/operations/${encodeURIComponent(id)}/resend`
    await call<OperationResponse>(path, { method: "POST", body: {} })
    return call<PaymentLinkResponse>(pathOf(orderId))
  },
}
