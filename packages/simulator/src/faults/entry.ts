/**
 * How a fault is written: `kind` or `kind:argument`, with an optional `:before` or `:after`.
 *
 * 500              a 500, and nothing was carried out
 * 500:after        the call was carried out, its answer is a 500
 * 429:date         a 429 whose `Retry-After` is a date
 * slow:9000:after  the true answer, nine seconds late
 *
 * `before` and `after` refer to the change of the book. The default is `before`, except for faults
 * that spoil the true answer on its way, `cut`, `cut_silently`, `cut_chunked` and `drip`, and for
 * `twice`.
 */
import { WrongControl } from "../control/wrong-control"

/**
 * - a status (`400` … `504`): that answer, with a body as the API writes it. `422:text`: its
 *   `detail` is plain text. `429` and `503` take a form of `Retry-After`: `none`, `seconds` (1),
 *   `date` (an HTTP date half a minute ahead by the simulator's clock), `past` (a date an hour
 *   ago), `huge` (11 days in seconds), `junk`, or a number of seconds. Plain `429` says `1`, plain
 *   `503` has no header;
 * - `refuse`: destroys the connection of this call before anything is carried out, and for the next
 *   `refuse:MS` milliseconds of real time (default 1,000) nothing listens on the port, so that a
 *   client meets a true "connection refused". The operation is known only once the call has
 *   arrived, so to refuse the call itself use `connections.refuse()`;
 * - `reset`: destroys the connection without an answer;
 * - `hang`: no answer until the caller or the simulator closes the connection;
 * - `slow`: the true answer, `slow:MS` milliseconds of real time late (default 1,000). `before`
 *   waits and then carries out the call, even if the caller has gone; `after` carries it out at
 *   once;
 * - `drip`: the answer byte by byte, one each `drip:MS` milliseconds (default 250);
 * - `cut`: half of the body under the length of the whole, then the end of the connection;
 * - `cut_chunked`: the same without a length: the last chunk never comes;
 * - `cut_silently`: half of the body, ended by the end of the connection as in HTTP/1.0, so that
 *   only the body itself shows that something is missing;
 * - `html`: 200 with a page, as a proxy would send;
 * - `shape`: 200 with JSON that lacks the required fields;
 * - `huge`: the answer with `huge:BYTES` more (default 2 MiB) in a field of its own;
 * - `redirect`: a 307 (or `redirect:301` … `redirect:308`) to the very address that was called. A
 *   caller that follows makes the call twice, and the count of calls shows it;
 * - `twice`: the call is carried out twice, as a proxy may deliver it, and the second answer is
 *   sent.
 */
export const FAULT_KINDS = [
  "400",
  "401",
  "403",
  "404",
  "408",
  "409",
  "422",
  "425",
  "429",
  "500",
  "502",
  "503",
  "504",
  "refuse",
  "reset",
  "hang",
  "slow",
  "drip",
  "cut",
  "cut_chunked",
  "cut_silently",
  "html",
  "shape",
  "huge",
  "redirect",
  "twice",
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export const RETRY_FORMS = ["none", "seconds", "date", "past", "huge", "junk"] as const
export type RetryForm = (typeof RETRY_FORMS)[number]

type Argument = RetryForm | "text" | `${number}`
type Moment = "before" | "after"

/** `"ok"`, `"500"`, `"500:after"`, `"429:date"`, `"slow:9000:after"`, … */
export type FaultEntry =
  | "ok"
  | FaultKind
  | `${FaultKind}:${Moment}`
  | `${FaultKind}:${Argument}`
  | `${FaultKind}:${Argument}:${Moment}`

export type Fault = { kind: FaultKind; isAfter: boolean; argument?: string }

const SPOILING: readonly FaultKind[] = ["cut", "cut_chunked", "cut_silently", "drip", "twice"]
const REDIRECTS = ["301", "302", "303", "307", "308"]
/** Up to 10 MB, or nearly three hours. A larger number is taken for a typing error. */
const NUMBER = /^\d{1,7}$/

/** The fault of an entry; null for `ok`. Throws on an invalid entry. */
export function parsedFault(entry: string): Fault | null {
  if (entry === "ok") return null
  const fault = faultOf(entry)
  if (!fault) throw new WrongControl(`${entry} is not a fault.`)
  return fault
}

/** Whether a text from outside is an entry of a script. */
export const isFaultEntry = (entry: unknown): entry is FaultEntry =>
  typeof entry === "string" && (entry === "ok" || faultOf(entry) !== null)

/** The entry in full: `"500:before"`, `"429:date:after"`. */
export const entryOf = ({ kind, argument, isAfter }: Fault): string =>
  [kind, ...(argument === undefined ? [] : [argument]), isAfter ? "after" : "before"].join(":")

function faultOf(entry: string): Fault | null {
  const [name, ...rest] = entry.split(":")
  const kind = FAULT_KINDS.find((candidate) => candidate === name)
  if (!kind) return null
  const moment = rest.at(-1) === "before" || rest.at(-1) === "after" ? rest.pop() : undefined
  const isAfter = moment === undefined ? SPOILING.includes(kind) : moment === "after"
  const [argument, ...surplus] = rest
  if (argument === undefined) return { kind, isAfter }
  if (surplus.length > 0 || !isArgument(kind, argument)) return null
  return { kind, argument, isAfter }
}

function isArgument(kind: FaultKind, argument: string): boolean {
  switch (kind) {
    case "429":
    case "503":
      return RETRY_FORMS.some((form) => form === argument) || NUMBER.test(argument)
    case "422":
      return argument === "text"
    case "redirect":
      return REDIRECTS.includes(argument)
    case "refuse":
    case "slow":
    case "drip":
    case "huge":
      return NUMBER.test(argument)
    default:
      return false
  }
}
