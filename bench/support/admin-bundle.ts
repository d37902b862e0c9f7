/**
 * What a plugin adds to the admin, as the merchant's build of it makes it small: its built pages
 * with all packages of its own in them. What the dashboard has anyway stays outside.
 */
import fs from "node:fs"
import path from "node:path"
import { gzipSync } from "node:zlib"
import type { Rollup } from "vite" with { "resolution-mode": "import" }

/** Shared by every page of the dashboard, though no plugin has to name them. */
const ALWAYS_SHARED = ["react", "react-dom", "react-router", "@medusajs/admin-shared"]

export type AdminBundle = {
  /** Loaded with the dashboard, on whatever page it begins. */
  readonly startBytes: number
  /** Loaded by the page that shows it. */
  readonly onDemandBytes: number
  readonly chunks: number
}

/** Sizes after gzip, as they go over the wire. */
export async function adminBundleOf(packageDirectory: string): Promise<AdminBundle> {
  const { build } = await import("vite")
  const built = await build({
    configFile: false,
    logLevel: "error",
    root: packageDirectory,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      write: false,
      // A store installs the client; here it is a link to its workspace, outside node_modules.
      commonjsOptions: { include: [/node_modules/, /packages\/gateway\/dist/] },
      rollupOptions: {
        input: path.join(packageDirectory, ".medusa/server/src/admin/index.mjs"),
        external: isShared(packageDirectory),
        preserveEntrySignatures: "strict",
      },
    },
  })
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
  const chunks = new Map(
    outputs.flatMap((one) => (one.type === "chunk" ? [[one.fileName, one] as const] : [])),
  )
  const start = startOf(chunks)
  const bytes = (isMeant: (file: string) => boolean) =>
    outputs
      .filter(({ fileName }) => isMeant(fileName))
      .map((one) => gzipSync(one.type === "chunk" ? one.code : one.source).length)
      .reduce((total, length) => total + length, 0)
  // What is no code, a style sheet say, is counted as needed at once.
  const isOnDemand = (file: string) => chunks.has(file) && !start.has(file)
  return {
    startBytes: bytes((file) => !isOnDemand(file)),
    onDemandBytes: bytes(isOnDemand),
    chunks: chunks.size,
  }
}

/** The entry, and all that it imports without being asked to. */
function startOf(chunks: ReadonlyMap<string, Rollup.OutputChunk>): Set<string> {
  const start = new Set<string>()
  const add = (file: string) => {
    const chunk = chunks.get(file)
    if (!chunk || start.has(file)) return
    start.add(file)
    chunk.imports.forEach(add)
  }
  for (const chunk of chunks.values()) if (chunk.isEntry) add(chunk.fileName)
  if (start.size === 0) throw new Error("The admin's build has no entry.")
  return start
}

/** What its peers are, and whatever the dashboard itself is made of. */
function isShared(packageDirectory: string): (name: string) => boolean {
  const own = readPackage(path.join(packageDirectory, "package.json"))
  const dashboard = readPackage(require.resolve("@medusajs/dashboard/package.json"))
  const shared = [
    ...ALWAYS_SHARED,
    ...Object.keys(own.peerDependencies ?? {}),
    ...Object.keys(dashboard.dependencies ?? {}),
  ]
  return (name) => shared.some((one) => name === one || name.startsWith(`${one}/`))
}

type Package = {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const readPackage = (file: string): Package => JSON.parse(fs.readFileSync(file, "utf8"))
