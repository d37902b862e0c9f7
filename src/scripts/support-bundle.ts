/**
 * Writes what support needs to know of this store, without anything of a person, for
 * `npx medusa exec` in the store's folder: `operation=` tells the story of one payment, `log=` adds
 * the last lines of a file, `json=` names the file to write. Ends with 0, or with 2 if it could not
 * be done or there is no such operation.
 */
import { readFile, writeFile } from "node:fs/promises"
import type { ExecArgs } from "@medusajs/framework/types"
import { supportBundle } from "../accounts/support-bundle"
import { accountsFrom } from "../medusa/wiring/flows-from"
import { namedArguments } from "./arguments/command-arguments"

const FILE = "support-bundle.json"
const LINES_MAX = 500
const PACKAGES = { plugin: "medusa-plugin-merchant-payments", medusa: "@medusajs/medusa" }

export default async function writeSupportBundle({ container, args }: ExecArgs): Promise<void> {
  try {
    const asked = namedArguments(args, ["operation", "log", "json"])
    const operation = asked.get("operation")
    const bundle = await supportBundle(accountsFrom(container), {
      operationId: operation,
      log: await lastLines(asked.get("log")),
      versions: {
        plugin: await versionOf(PACKAGES.plugin),
        medusa: await versionOf(PACKAGES.medusa),
        node: process.version,
      },
      variables: Object.keys(process.env).filter((name) => name.startsWith("MERCHANT_PAYMENTS_")),
    })
    if (operation !== undefined && bundle.operation === null) {
      throw new Error(`there is no operation ${operation}`)
    }
    const file = asked.get("json") ?? FILE
    await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`)
    console.error(`support-bundle: written to ${file}. Read it before you send it.`)
  } catch (error) {
    console.error(`support-bundle: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  }
}

async function lastLines(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return []
  return (await readFile(file, "utf8")).trimEnd().split("\n").slice(-LINES_MAX)
}

async function versionOf(name: string): Promise<string> {
  const file = require.resolve(`${name}/package.json`, { paths: [process.cwd(), __dirname] })
  return (JSON.parse(await readFile(file, "utf8")) as { version: string }).version
}
