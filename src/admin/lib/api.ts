/**
 * How the pages call the store. The SDK's client keeps only the English sentence of a refusal; the
 * pages need its code, to say it in the admin's language.
 */
// The dashboard's build fills in the store's address and the kind of login.
declare const __BACKEND_URL__: string | undefined
declare const __AUTH_TYPE__: string | undefined
declare const __JWT_TOKEN_STORAGE_KEY__: string | undefined

/** Tries after the first; pages that refresh themselves ask again anyway. */
const READ_TRIES_MAX = 2
const USUAL_TOKEN_KEY = "medusa_auth_token"

/** A refusal of the store, or no answer at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  /** A stable code, or "" if there was none. */
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, details: Record<string, unknown>) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** For reads: a refusal would come again, a missing answer may come next time. */
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
  // The routes export the types of their responses; store and admin have the same version.
  if (answered.ok) return body as T
  throw refusedWith(answered, body)
}

/** A file, and its name. @throws ApiError */
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
    // The store broke off: half a file is not used.
    throw new ApiError(0, "store_unreachable", String(error), {})
  }
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: { readonly name: string; readonly content: Blob }): void {
  const address = URL.createObjectURL(file.content)
  const link = document.createElement("a")
  link.href = address
  link.download = file.name
  link.click()
  URL.revokeObjectURL(address)
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

/** The address of a file to download. */
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

/** With sessions, the default, the cookie is the login. */
function loginHeader(): Record<string, string> {
  if (typeof __AUTH_TYPE__ === "undefined" || __AUTH_TYPE__ !== "jwt") return {}
  const named = typeof __JWT_TOKEN_STORAGE_KEY__ === "undefined" ? "" : __JWT_TOKEN_STORAGE_KEY__
  const token = window.localStorage.getItem(named || USUAL_TOKEN_KEY)
  return token ? { authorization: `Bearer ${token}` } : {}
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
