/**
 * How the pages speak to the store. Not through the SDK's client, because that keeps of a refusal only
 * its English sentence; the code, by which it is said in the admin's language, would be lost.
 *
 * Where the store is and how the admin logs in, the dashboard's build writes into these names.
 */
declare const __BACKEND_URL__: string | undefined
declare const __AUTH_TYPE__: string | undefined
declare const __JWT_TOKEN_STORAGE_KEY__: string | undefined

/** Beyond the first; the pages that keep themselves up to date ask again anyway. */
const READ_TRIES_MAX = 2
const USUAL_TOKEN_KEY = "medusa_auth_token"

/** What the store said no with, or that it did not answer (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  /** A stable code, or "" where the answer had none. */
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, details: Record<string, unknown>) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** For reads: what the store refused it refuses again; what was not answered may be answered next. */
export function isWorthAsking(failures: number, error: Error): boolean {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !isRefused && failures < READ_TRIES_MAX
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type Call = {
  readonly method?: "GET" | "POST" | "DELETE"
  readonly query?: Query
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** @throws ApiError */
export async function call<T>(path: string, given: Call = {}): Promise<T> {
  const answered = await ask(path, given)
  const body: unknown = await answered.json().catch(() => null)
  // What the routes answer is their own exported type; the store and its admin are of one version.
  if (answered.ok) return body as T
  throw refusedWith(answered, body)
}

/** A file, and what the store calls it. @throws ApiError */
export async function download(
  path: string,
  given: Call = {},
): Promise<{ readonly name: string; readonly content: Blob }> {
  const answered = await ask(path, given)
  if (!answered.ok) throw refusedWith(answered, await answered.json().catch(() => null))
  const [, name] =
    /filename="([^"]+)"/.exec(answered.headers.get("content-disposition") ?? "") ?? []
  try {
    return { name: name ?? "download", content: await answered.blob() }
  } catch (error) {
    // The store broke off: half a file is none.
    throw new ApiError(0, "store_unreachable", String(error), {})
  }
}

function refusedWith({ status, statusText }: Response, body: unknown): ApiError {
  const said = isRecord(body) ? body : {}
  return new ApiError(
    status,
    typeof said["code"] === "string" ? said["code"] : "",
    typeof said["message"] === "string" ? said["message"] : statusText,
    said,
  )
}

/** Where a file of the store's is downloaded from. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return `${backend()}${path}${search && `?${search}`}`
}

async function ask(path: string, { method, query, body, headers, signal }: Call) {
  try {
    return await fetch(addressOf(path, query), {
      method: method ?? "GET",
      credentials: "include",
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...loginHeader(),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, "store_unreachable", String(error), {})
  }
}

function backend(): string {
  const url = typeof __BACKEND_URL__ === "undefined" ? "" : (__BACKEND_URL__ ?? "")
  return url.replace(/\/$/, "")
}

/** With sessions, the usual way, the cookie says who it is. */
function loginHeader(): Record<string, string> {
  if (typeof __AUTH_TYPE__ === "undefined" || __AUTH_TYPE__ !== "jwt") return {}
  const named = typeof __JWT_TOKEN_STORAGE_KEY__ === "undefined" ? "" : __JWT_TOKEN_STORAGE_KEY__
  const token = window.localStorage.getItem(named || USUAL_TOKEN_KEY)
  return token ? { authorization: `Bearer ${token}` } : {}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
