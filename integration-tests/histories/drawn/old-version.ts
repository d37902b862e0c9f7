/**
 * The last release's own sources, from its commit, loaded beside today's in one process, over the
 * packages that today's use. A clone may lack the commit: then nothing is loaded.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { commitOf, isKnown, LAST_RELEASE } from "../../../scripts/old-version.cjs"

type Load = (place: string) => Readonly<Record<string, unknown>>

const ROOT = path.resolve(__dirname, "../../..")
const PARTS = ["src", "packages/gateway/src"]
const CLIENT = /"merchant-payments-gateway(?:\/(terms\/[\w-]+))?"/g
/** Below the checkout, so that packages are found upwards; made once for each release. */
const KEPT = path.join(ROOT, ".demo/releases")
const PACKED_MAX_BYTES = 256 * 1024 ** 2

let unpacked: { readonly load: Load | undefined } | undefined

/** @returns loads a module by its place in `src` */
export function oldModules(): Load | undefined {
  unpacked ??= { load: loader() }
  return unpacked.load
}

function loader(): Load | undefined {
  if (!isKnown(LAST_RELEASE)) {
    console.warn(`this clone lacks ${LAST_RELEASE}'s commit: histories run this version instead`)
    return undefined
  }
  const folder = path.join(KEPT, commitOf(LAST_RELEASE))
  if (!fs.existsSync(folder)) unpackTo(folder)
  // Which sources they are is known only now.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return (place) => require(path.join(folder, "src", place)) as Readonly<Record<string, unknown>>
}

function unpackTo(place: string): void {
  fs.mkdirSync(KEPT, { recursive: true })
  const folder = fs.mkdtempSync(path.join(KEPT, "new-"))
  const archive = ["archive", commitOf(LAST_RELEASE), ...PARTS]
  const input = execFileSync("git", archive, { cwd: ROOT, maxBuffer: PACKED_MAX_BYTES })
  execFileSync("tar", ["-x", "-C", folder], { input })
  nameClientByPlace(folder)
  try {
    fs.renameSync(folder, place)
  } catch (error) {
    // Another process was first: theirs is the same.
    if (!fs.existsSync(place)) throw error
    fs.rmSync(folder, { recursive: true })
  }
}

/** By its name, the gateway's client would be today's. */
function nameClientByPlace(folder: string): void {
  const client = path.join(folder, "packages/gateway/src")
  const files = fs.readdirSync(path.join(folder, "src"), { recursive: true, encoding: "utf8" })
  for (const name of files.filter((one) => one.endsWith(".ts"))) {
    const file = path.join(folder, "src", name)
    const text = fs.readFileSync(file, "utf8")
    const named = text.replace(CLIENT, (_, inner = "index") =>
      JSON.stringify(path.relative(path.dirname(file), path.join(client, String(inner)))),
    )
    if (named !== text) fs.writeFileSync(file, named)
  }
}
