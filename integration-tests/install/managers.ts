/** The package managers: how each installs, and how it words what is wrong with a peer. */
import path from "node:path"
import { run, type Command } from "./commands"

type Where = Omit<Command, "argv">

export type Manager = {
  readonly name: string
  readonly isYarn?: true
  readonly program: readonly [string, ...string[]]
  readonly install: readonly string[]
  readonly add: readonly string[]
  /** Installs a folder for itself, although it lies in a workspace. */
  readonly alone?: readonly string[]
  /** How a tarball is named to `add`; left out: by its path. */
  readonly named?: (file: string) => string
  /** Variables of every command. */
  readonly env?: Readonly<Record<string, string>>
  /** Files that the manager reads beside `package.json`. */
  readonly files: Readonly<Record<string, string>>
}

/** A bound, not an expectation: Yarn gives up long before a busy machine has answered. */
const ANSWERS_WITHIN_MS = "600000"
const PATIENT = ["--non-interactive", "--network-timeout", ANSWERS_WITHIN_MS] as const

/** Yarn 1 alone refuses a package of Medusa's that asks for a newer Node than Medusa itself. */
const ANY_NODE = ["--ignore-engines"] as const

const NPX = ["npx", "--yes"] as const

export const MANAGERS: readonly Manager[] = [
  {
    name: "npm",
    program: ["npm"],
    install: ["install", "--no-audit", "--no-fund"],
    add: ["install", "--no-audit", "--no-fund"],
    files: {},
  },
  {
    name: "pnpm",
    program: [...NPX, "pnpm@10"],
    install: ["install", "--no-frozen-lockfile"],
    alone: ["--ignore-workspace"],
    // A starter names a pnpm of its own, which would be fetched instead of the one that runs.
    env: { npm_config_manage_package_manager_versions: "false" },
    add: ["add"],
    files: { ".npmrc": "auto-install-peers=true\n" },
  },
  {
    name: "yarn1",
    isYarn: true,
    program: [...NPX, "yarn@1.22.22"],
    install: ["install", ...PATIENT, ...ANY_NODE],
    add: ["add", ...PATIENT, ...ANY_NODE],
    named: (file) => `${packageOf(file)}@file:${path.normalize(file)}`,
    files: {},
  },
  {
    name: "yarn4",
    isYarn: true,
    program: [...NPX, "--package", "@yarnpkg/cli-dist@4", "yarn"],
    install: ["install", "--no-immutable"],
    add: ["add"],
    files: {
      "yarn.lock": "",
      ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n",
    },
  },
]

export function managerOf(name: string): Manager {
  const found = MANAGERS.find((one) => one.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

const packageOf = (tarball: string): string =>
  path.basename(tarball).replace(/-\d+\.\d+\.\d+\S*\.tgz$/, "")

/** Runs a package manager. Yarn reads none of npm's settings, so it is told the registry. */
export async function manage(
  { program, isYarn, env: own }: Manager,
  args: readonly string[],
  where: Where,
): Promise<string> {
  const env = { ...own, ...(isYarn && (await settingsForYarn(where))), ...where.env }
  return run({ ...where, env, argv: [...program, ...args] })
}

async function settingsForYarn(where: Where): Promise<Record<string, string>> {
  const ask = async (name: string) =>
    (await run({ ...where, argv: ["npm", "config", "get", name] })).trim()
  const registry = await ask("registry")
  const ca = await ask("cafile")
  return {
    YARN_HTTP_TIMEOUT: ANSWERS_WITHIN_MS,
    YARN_REGISTRY: registry,
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ""),
    npm_config_registry: registry,
    ...(ca && ca !== "null"
      ? { YARN_HTTPS_CA_FILE_PATH: ca, npm_config_cafile: ca, NODE_EXTRA_CA_CERTS: ca }
      : {}),
    ...(registry.startsWith("http:")
      ? { YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname }
      : {}),
  }
}
