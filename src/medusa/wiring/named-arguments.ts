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
