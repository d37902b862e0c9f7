/** A workspace as `npm pack` makes it, and installed as npm would, for a suite of tests. */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import type { buildGateway } from "../../../demo/run/build.cjs"

export const ROOT = path.resolve(__dirname, "../../..")

export const bin = (name: string) => path.join(ROOT, "node_modules/.bin", name)
export const run = (file: string, args: readonly string[], cwd: string) =>
  execFileSync(file, args, { cwd, encoding: "utf8", stdio: "pipe" })

export type Packed = {
  /** A temporary folder, gone after the last test. */
  readonly folder: string
  readonly tarball: string
  /** The package installed in `folder`, next to the packages that it declares. */
  readonly installed: string
}

/** Registers the suite's hooks; the package is there inside tests and hooks only. */
export function usePacked(
  workspace: string,
  build: typeof buildGateway,
  { besides = [] }: { readonly besides?: readonly string[] } = {},
): Packed {
  let packed: Packed | undefined

  beforeAll(async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-packed-"))
    const logs = path.join(folder, "logs")
    // Under the lock of all builds: other suites may read it now.
    await build({ root: ROOT, logs, say: () => {}, signal: new AbortController().signal })
    const home = path.join(ROOT, "packages", workspace)
    run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], home)
    const tarball = fs.readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? ""
    run("tar", ["-xzf", tarball], folder)
    packed = {
      folder,
      tarball: path.join(folder, tarball),
      installed: install(folder, besides),
    }
  })

  afterAll(() => packed && fs.rmSync(packed.folder, { recursive: true, force: true }))

  return new Proxy<Packed>(Object.create(null), {
    get(_target, name): unknown {
      if (!packed) throw new Error("the package is not packed")
      return Reflect.get(packed, name)
    },
  })
}

function install(folder: string, besides: readonly string[]): string {
  const unpacked = path.join(folder, "package")
  const text = fs.readFileSync(path.join(unpacked, "package.json"), "utf8")
  const { name, dependencies = {} } = JSON.parse(text) as {
    name: string
    dependencies?: Record<string, string>
  }
  const modules = path.join(folder, "node_modules")
  for (const one of [...Object.keys(dependencies), ...besides]) {
    const place = path.join(modules, one)
    fs.mkdirSync(path.dirname(place), { recursive: true })
    fs.symlinkSync(path.join(ROOT, "node_modules", one), place)
  }
  fs.mkdirSync(modules, { recursive: true })
  fs.renameSync(unpacked, path.join(modules, name))
  return path.join(modules, name)
}
