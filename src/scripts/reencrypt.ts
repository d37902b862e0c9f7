/**
 * Re-encrypts all stored secrets with the current key, for `npx medusa exec` in the store's folder.
 * Prints how many as one line of JSON. Ends with 0 if all are re-encrypted, 1 if some can be read
 * with neither key, 2 if it could not be done.
 */
import type { ExecArgs } from "@medusajs/framework/types"
import { reencryptSecrets } from "../accounts/reencrypt"
import { accountsFrom } from "../medusa/wiring/flows-from"

export default async function reencrypt({ container }: ExecArgs): Promise<void> {
  try {
    const deps = accountsFrom(container)
    const done = await reencryptSecrets(deps, deps.box)
    process.stdout.write(`${JSON.stringify(done)}\n`)
    process.exitCode = done.unreadable.length > 0 ? 1 : 0
  } catch (error) {
    console.error(`reencrypt: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  }
}
