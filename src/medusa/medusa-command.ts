/**
 * Whether this process is a command such as `medusa user` or `medusa exec`, and not the store. Both
 * load every module and call its hooks; what the store's settings lack is no news of a command,
 * whose shell often has none of them.
 */
const STORE = ["start", "develop"]

export function isMedusaCommand(argv: readonly string[] = process.argv): boolean {
  const [, program = "", ...words] = argv
  const isMedusa = /(?:^|[\\/])medusa(?:\.[cm]?js)?$|@medusajs[\\/]cli[\\/]/.test(program)
  const command = words.find((word) => !word.startsWith("-"))
  return isMedusa && command !== undefined && !STORE.includes(command)
}
