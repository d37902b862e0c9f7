/**
 * How the pages call the store. The SDK's client keeps only the English sentence of a refusal; the
 * pages need its code, to say it in the admin's language.
 */
// The dashboard's build fills in the store's address and the kind of login.
declare const __BACKEND_URL__: string | undefined
declare const __AUTH_TYPE__: string | undefined
declare const __JWT_TOKEN_STORAGE_KEY__: string | undefined

/** Further tries of a read after the first. Pages that refresh themselves ask again anyway. */
const READ_TRIES_MAX = 2
const USUAL_TOKEN_KEY = "medusa_auth_token"

/** A refusal of the store, or no answer at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  /** A stable code, or "" if there was none. */
  readonly code: string

  /**
   * @param details the body of the refusal
   * @param otherwise the message if the body has none
   */
  constructor(status: number, details: ApiError["details"], otherwise = "") {
    const { code, message } = details
    super(typeof message === "string" ? message : otherwise)
    this.status = status
    this.details = details
    this.code = typeof code === "string" ? code : ""
  }
}

/** Whether to repeat a read: a refusal would come again, a missing answer may come next time. */
export function isWorthAsking(failures: number, error: Error): boolean {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return !isRefused && failures < READ_TRIES_MAX
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type Call = {
  readonly method?: "GET" | "POST" | "DELETE"
  readonly query?: Query | undefined
  readonly body?: object
  readonly signal?: AbortSignal
}

/** @throws ApiError */
export async function call<T>(path: string, given?: Call): Promise<T> {
  const answered = await ask(path, given)
  // Store and admin have the same version.
  return (await answered.json().catch(() => null)) as T
}

/** Hands a file to the browser's downloads, by the store's name for it. @throws ApiError */
export async function download(path: string, given: Call): Promise<void> {
  const answered = await ask(path, given)
  const [, name] =
    /filename="([^"]+)"/.exec(answered.headers.get("content-disposition") ?? "") ?? []
  // If the store breaks off, half a file is not saved.
  const address = URL.createObjectURL(await answered.blob().catch(unreachable))
  const link = document.createElement("a")
  link.href = address
  link.download = name ?? "download"
  link.click()
  URL.revokeObjectURL(address)
}

function unreachable(error: unknown): never {
  throw new ApiError(0, {}, String(error))
}

async function ask(path: string, { method = "GET", query = {}, body, signal }: Call = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined)
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  const answered = await fetch(`${backend()}${path}${search && `?${search}`}`, {
    method,
    credentials: "include",
    headers: {
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
      ...loginHeader(),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    return unreachable(error)
  })
  if (answered.ok) return answered
  const said: unknown = await answered.json().catch(() => null)
  throw new ApiError(answered.status, isRecord(said) ? said : {}, answered.statusText)
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
