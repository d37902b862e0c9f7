/**
 * The gateway's words about a refusal. In the contract they are `{detail: text}` or
 * `{detail: [{loc, msg}]}` (section 14); the contract does not show the bodies of most errors.
 * Other back ends say `{message}`, `{error}` and `{errors: {field: [text]}}`. Those are read for
 * people, for the limit of an amount and for a refused text, never as proof that nothing is there.
 */
import type { FieldProblem } from "../errors"
import { LIMITS } from "../terms/limits"
import { redact, withoutSecrets } from "../redact"
import { isWire, type Wire } from "./reading"

export type RefusalWords = {
  readonly detail?: string
  readonly fields?: readonly FieldProblem[]
  /** Set if the words are in a form that the contract does not show. */
  readonly isOtherForm?: true
}

/** Whether a body has this API's own `detail`, a text or a list (contract, 14). */
export function hasDetail(body: unknown): boolean {
  const detail = own(body, "detail")
  return typeof detail === "string" ? detail.trim() !== "" : Array.isArray(detail)
}

/** Whether a body gives a reason in any known form. A proxy's page does not. */
export function saysWhy(body: unknown): boolean {
  const { detail, fields } = textsIn(body)
  return (detail ?? fields) !== undefined
}

/**
 * The words of a refusal, redacted. Paths of fields lose their first entry if it is `body`, `query`
 * or `path`.
 *
 * @param secrets texts of the request that the result must not repeat
 */
export function textsIn(body: unknown, secrets: readonly string[] = []): RefusalWords {
  const safe = (text: string) => redact(withoutSecrets(text, secrets))
  const detail = own(body, "detail")
  if (typeof detail === "string" && detail !== "") return { detail: safe(detail) }
  const fields = Array.isArray(detail) ? listed(detail) : []
  if (fields.length > 0) return { fields: made(fields, safe) }
  return inOtherForm(body, safe)
}

type Safe = (text: string) => string

/** Fields in which other back ends give their reason. The first one that is not blank is used. */
const SENTENCES = ["message", "error_description", "error", "msg", "title"]

function inOtherForm(body: unknown, safe: Safe): RefusalWords {
  // `{error: {code, message}}` holds its words one level deeper.
  const inner = own(body, "error")
  const places = [body, inner].filter(isWire)
  const texts = places.flatMap((place) => SENTENCES.map((name) => own(place, name)))
  const sentence = texts.find((text) => typeof text === "string" && text.trim() !== "")
  const fields = places.flatMap((place) => named(own(place, "errors")))
  if (typeof sentence !== "string" && fields.length === 0) return {}
  return {
    ...(typeof sentence === "string" && { detail: safe(sentence) }),
    ...(fields.length > 0 && { fields: made(fields, safe) }),
    isOtherForm: true,
  }
}

const made = (fields: readonly FieldProblem[], safe: Safe) =>
  fields
    .slice(0, LIMITS.fieldProblemsMax)
    .map(({ path, message }) => ({ path: safe(path), message: safe(message) }))

/** Reads the contract's list of field problems: `[{loc, msg}]`. */
const listed = (list: readonly unknown[]): FieldProblem[] =>
  list.slice(0, LIMITS.fieldProblemsMax).flatMap((item) => {
    if (!isWire(item)) return []
    const loc = own(item, "loc")
    const message = own(item, "msg")
    const path = pathOf(Array.isArray(loc) ? loc : [])
    return [{ path, message: typeof message === "string" ? message : "" }]
  })

/** Reads `{field: [text]}`, `{field: text}`, `[{field, message}]` or `[text]` of `errors`. */
function named(errors: unknown): FieldProblem[] {
  if (Array.isArray(errors)) {
    return errors.slice(0, LIMITS.fieldProblemsMax).flatMap((item: unknown) => {
      if (typeof item === "string") return [{ path: "", message: item }]
      const [path, message] = [own(item, "field"), own(item, "message")]
      if (typeof message !== "string") return []
      return [{ path: typeof path === "string" ? path : "", message }]
    })
  }
  if (!isWire(errors)) return []
  const entries = Object.entries(errors).slice(0, LIMITS.fieldProblemsMax)
  return entries.flatMap(([path, said]) =>
    [said].flat().flatMap((text) => (typeof text === "string" ? [{ path, message: text }] : [])),
  )
}

function own(place: unknown, name: string): unknown {
  const body: Wire = isWire(place) ? place : {}
  return Object.hasOwn(body, name) ? body[name] : undefined
}

function pathOf(loc: readonly unknown[]): string {
  const entries = loc.filter((entry) => typeof entry === "string" || typeof entry === "number")
  const inRequest = entries[0] === "body" || entries[0] === "query" || entries[0] === "path"
  return (inRequest ? entries.slice(1) : entries).join(".")
}
