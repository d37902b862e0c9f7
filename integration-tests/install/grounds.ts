/**
 * Where the plugin is installed: a fresh application by each package manager, and Medusa's own
 * starters as they are cloned. No registry has those, so variables name their folders.
 */
import fs from "node:fs"
import path from "node:path"
import { MANAGERS, managerOf, type Manager } from "./managers"
import { layOut, tested } from "./starter"

/** A folder of `dtc-starter`, with `apps/backend` and `apps/storefront`. */
export const WORKSPACE_STARTER = "INSTALL_NEXTJS_STARTER"
/** A folder of `medusa-starter-default`. */
const BACKEND_STARTER = "INSTALL_DEFAULT_STARTER"

export type Ground = {
  readonly name: string
  readonly manager: Manager
  /** The backend's folder below the one that is laid out; "" is that one. */
  readonly backend: string
  /** What is played: up to a store that answers, to a paid order, or also the way out. */
  readonly until: "boot" | "order" | "end"
  /** Writes the files into a new folder; nothing is installed. */
  layOut(folder: string): void
}

/** With which everything is played. */
const WHOLE = "npm"

const fresh = MANAGERS.map((manager): Ground => {
  const until = manager.name === WHOLE ? "end" : "boot"
  const { name } = manager
  return { name, manager, backend: "", until, layOut: (folder) => layOut(folder, manager) }
})

type Starter = {
  readonly name: string
  readonly variable: string
  readonly manager: string
  readonly backend: string
}

const STARTERS: readonly Starter[] = [
  {
    name: "medusa-starter-default",
    variable: BACKEND_STARTER,
    manager: "npm",
    backend: "",
  },
  {
    name: "dtc-starter",
    variable: WORKSPACE_STARTER,
    manager: "pnpm",
    backend: "apps/backend",
  },
]

export const GROUND_NAMES = [...fresh, ...STARTERS].map(({ name }) => name)

/** @returns the ground, or in a sentence why it can't be played */
export function groundOf(name: string): Ground | { readonly why: string } {
  const one = STARTERS.find((starter) => starter.name === name)
  if (!one) {
    const found = fresh.find((ground) => ground.name === name)
    return found ?? { why: `there is no ${name}` }
  }
  const clone = process.env[one.variable]
  if (clone === undefined) {
    return { why: `${one.variable} names no folder of this starter, which no registry has` }
  }
  const { backend } = one
  return {
    ...{ name, backend, manager: managerOf(one.manager), until: "order" },
    layOut: (folder) => {
      fs.cpSync(clone, folder, {
        recursive: true,
        filter: (file) => !/(^|\/)(node_modules|\.git|\.next)$/.test(path.relative(clone, file)),
      })
      bringToTestedMedusa(path.join(folder, backend, "package.json"))
    },
  }
}

/** docs/install.md: a store of an older Medusa is upgraded first, with the dashboard's own router. */
function bringToTestedMedusa(file: string): void {
  type Lists = Readonly<Record<string, Readonly<Record<string, string>>>>
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as Lists
  const upgraded = (list: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(list).map(([name, range]) => [name, testedIfMedusas(name) ?? range]),
    )
  const lists = ["dependencies", "devDependencies"].map((one) => [one, upgraded(manifest[one])])
  fs.writeFileSync(
    file,
    `${JSON.stringify({ ...manifest, ...Object.fromEntries(lists) }, null, 2)}\n`,
  )
}

function testedIfMedusas(name: string): string | undefined {
  if (name === "react-router-dom" || name === "@medusajs/ui") return tested(name)
  return name.startsWith("@medusajs/") ? tested("@medusajs/medusa") : undefined
}
