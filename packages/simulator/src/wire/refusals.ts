/** How a temper writes a refusal. The field that is refused is named in each form. */
import { isAlreadyRegistered, type DetailItem, type Problem } from "../problem"
import type { Habit } from "./habits"

type Detail = Problem["body"]["detail"]
type Refusal = { status: number; body: unknown }

export function writtenRefusal(
  { status, body }: Refusal,
  form: Habit | null,
  has: (habit: Habit) => boolean,
): Refusal {
  const detail = detailOf(body)
  if (detail === null) return { status, body }
  return { status: statusOf(status, detail, has), body: formed(detail, form, body) }
}

function detailOf(body: unknown): Detail | null {
  if (typeof body !== "object" || body === null || !("detail" in body)) return null
  const { detail } = body
  if (typeof detail === "string") return detail
  // The simulator's own items; nothing else makes a list of that name.
  return Array.isArray(detail) ? detail : null
}

function statusOf(status: number, detail: Detail, has: (habit: Habit) => boolean): number {
  if (status !== 422) return status
  const isKnown = typeof detail !== "string" && detail.some(isAlreadyRegistered)
  if (isKnown && has("conflicts_409")) return 409
  return has("refusals_400") && !isKnown ? 400 : status
}

function formed(detail: Detail, form: Habit | null, body: unknown): unknown {
  switch (form) {
    case "refusals_as_list":
      return { detail: itemsOf(detail) }
    case "refusals_as_message":
      return { message: sentenceOf(detail) }
    case "refusals_as_error":
      return { error: sentenceOf(detail) }
    case "refusals_by_field":
      return { message: sentenceOf(detail), errors: byField(detail) }
    default:
      return body
  }
}

const itemsOf = (detail: Detail): DetailItem[] =>
  typeof detail === "string" ? [{ loc: [], msg: detail, type: "http_error" }] : detail

const fieldOf = ({ loc }: DetailItem): string => loc.slice(1).join(".")

const sentenceOf = (detail: Detail): string =>
  itemsOf(detail)
    .map((item) => (fieldOf(item) === "" ? item.msg : `${fieldOf(item)}: ${item.msg}`))
    .join("; ")

function byField(detail: Detail): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const item of itemsOf(detail)) {
    if (fieldOf(item) !== "") errors[fieldOf(item)] = [...(errors[fieldOf(item)] ?? []), item.msg]
  }
  return errors
}
