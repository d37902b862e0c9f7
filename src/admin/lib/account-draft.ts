/** Turns an account into the values of its form, where all but flags are text, and back. */
import {
  ACCOUNT_POLICIES,
  ACCOUNT_SETTINGS,
  type PolicyName,
  type Setting,
  type SettingName,
} from "../../core/account-settings"
import type { AccountBody, AccountResponse } from "./responses"

const TABLE = { ...ACCOUNT_SETTINGS, ...ACCOUNT_POLICIES }
const NAMES = Object.keys(TABLE) as (keyof typeof TABLE)[]
export const SETTINGS: { readonly [Name in keyof typeof TABLE]: Setting } = TABLE

/** The names of the settings that one group of the form draws, in their order. */
export const namesIn = (group: Setting["in"]) => NAMES.filter((name) => SETTINGS[name].in === group)

export type AccountDraft = {
  readonly [Name in keyof typeof TABLE]: (typeof TABLE)[Name]["holds"] extends "flag"
    ? boolean
    : string
} & {
  readonly client_id: string
  /** Empty: the stored secret stays. */
  readonly client_secret: string
  readonly is_default: boolean
}

/** @param account null for a new account */
export function draftOf(account: AccountResponse | null): AccountDraft {
  const values: Readonly<Record<string, unknown>> = { ...account, ...account?.policies }
  const written = NAMES.map((name) => {
    const row = SETTINGS[name]
    return [name, typedAs(row, account ? values[name] : row.default)]
  })
  return {
    ...(Object.fromEntries(written) as Pick<AccountDraft, keyof typeof TABLE>),
    client_id: account?.client_id ?? "",
    client_secret: "",
    is_default: account?.is_default ?? false,
  }
}

/** A setting's value as an admin types it. */
function typedAs({ holds }: Setting, value: unknown): string | boolean {
  if (typeof value === "boolean") return value
  switch (holds) {
    // `LRD 50000, USD 300`
    case "amounts":
      return linesOf(value, " ").join(", ")
    case "names":
      return linesOf(value, " = ").join("\n")
    case "currencies":
      return (value as readonly string[]).join(", ")
    default:
      return (value as string | number | null)?.toString() ?? ""
  }
}

const linesOf = (value: unknown, between: string) =>
  Object.entries(value ?? {}).map(([name, one]) => `${name}${between}${String(one)}`)

/** The plugin asks the gateway about 12 times for each payment, from its start until it is paid. */
export const paymentsAMinute = (perSecond: string) => Math.round((Number(perSecond) * 60) / 12)

/** A field that can't be read; the form marks it. */
export type DraftProblem = SettingName | PolicyName

export function bodyOf(draft: AccountDraft): AccountBody | DraftProblem {
  const read = NAMES.map((name) => [name, valueIn(SETTINGS[name], draft[name])] as const)
  const unread = read.find(([, value]) => value === undefined)
  if (unread) return unread[0]
  const of = (table: object) =>
    Object.fromEntries(read.filter(([name]) => Object.hasOwn(table, name)))
  const { client_id: clientId, client_secret: secret, is_default } = draft
  return {
    ...of(ACCOUNT_SETTINGS),
    ...(clientId.trim() && { client_id: clientId.trim() }),
    ...(secret && { client_secret: secret }),
    is_default,
    policies: of(ACCOUNT_POLICIES),
  }
}

/** What is typed, as the routes take it; undefined: it can't be read. */
function valueIn(row: Setting, typed: string | boolean): unknown {
  if (typeof typed === "boolean") return typed
  switch (row.holds) {
    case "number":
      return Number(typed)
    case "amounts":
      return amountsIn(typed)
    case "currencies":
      return partsOf(typed, /[,\s]+/).map((code) => code.toUpperCase())
    case "names":
      return wireNamesIn(typed)
    case "choice":
      return typed || row.default
    case "address":
      return typed.trim() || null
    default:
      return typed
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

function wireNamesIn(text: string): Record<string, string> | undefined {
  const found = partsOf(text, /\n/).map((line) => /^([^=\s]+)\s*=\s*(\S.*)$/.exec(line))
  if (found.some((match) => match === null)) return undefined
  return Object.fromEntries(found.map((match) => [match?.[1] ?? "", match?.[2]?.trim() ?? ""]))
}

const partsOf = (text: string, between: RegExp) =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean)
