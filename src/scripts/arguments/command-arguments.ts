/**
 * Arguments of a command as `name=value`. Without dashes, because `medusa exec` refuses options that
 * it does not know and drops what follows `--`.
 *
 * @throws Error with a sentence for the person at the command line
 */
export function namedArguments(
  given: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  const options = names.map((name) => `${name}=`)
  const listed = `${options.slice(0, -1).join(", ")} and ${options.at(-1) ?? ""}`
  for (const argument of given) {
    const [, name = "", value = ""] = /^([a-z]+)=(.*)$/s.exec(argument) ?? []
    if (!names.includes(name)) throw new Error(`"${argument}" is no option; there are ${listed}`)
    if (value === "") throw new Error(`${name}= wants a value`)
    values.set(name, value)
  }
  return values
}

type ReconcileArguments = {
  readonly from: Date | undefined
  /** The end of the period, not included. */
  readonly to: Date | undefined
  readonly jsonFile: string | undefined
}

/**
 * The arguments of the reconciliation command: `from=2026-11-01 to=2026-11-08 json=file`.
 *
 * @throws Error with a sentence for the person at the command line
 */
export function readArguments(given: readonly string[]): ReconcileArguments {
  const values = namedArguments(given, ["from", "to", "json"])
  const from = momentOf("from", values.get("from"))
  const to = momentOf("to", values.get("to"))
  if (from && to && from >= to) throw new Error("from= has to be before to=")
  return { from, to, jsonFile: values.get("json") }
}

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** Reads a day, which means its first moment in UTC, or a moment with its offset. */
function momentOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime())) {
    throw new Error(`${name}= is a day, as 2026-11-08, or a moment, as 2026-11-08T12:00Z`)
  }
  return moment
}
