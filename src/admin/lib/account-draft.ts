/** Turns an account into the values of its form, where all numbers are text, and back. */
import type { AccountBody, AccountResponse } from "./responses"

export type AccountDraft = Readonly<ReturnType<typeof draftOf>>

/** The store's defaults for missing fields, written here once more: change both. */
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
  checks_per_second_max: "20",
  is_default: false,
  place_late_money: true,
  refund_orphans: false,
  cancel_stray_orders: false,
  disrupted_methods: "warn",
  cards_at_once: false,
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
    checks_per_second_max: String(account.checks_per_second_max),
    is_default: account.is_default,
    place_late_money: policies.place_late_money,
    refund_orphans: policies.refund_orphans,
    cancel_stray_orders: policies.cancel_stray_orders,
    disrupted_methods: policies.disrupted_methods,
    cards_at_once: policies.cards_at_once,
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

/** The plugin asks the gateway about 12 times for each payment, from its start until it is paid. */
export const paymentsAMinute = (perSecond: string) => Math.round((Number(perSecond) * 60) / 12)

/** Amounts as an admin types them: `LRD 50000, USD 300`. */
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
    checks_per_second_max: Number(draft.checks_per_second_max),
    is_default: draft.is_default,
    policies: {
      place_late_money: draft.place_late_money,
      refund_orphans: draft.refund_orphans,
      cancel_stray_orders: draft.cancel_stray_orders,
      disrupted_methods: draft.disrupted_methods,
      cards_at_once: draft.cards_at_once,
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
