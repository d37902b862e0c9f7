/** A fresh Medusa application, as `create-medusa-app` lays out its backend. */
import fs from "node:fs"
import path from "node:path"
import type { Manager } from "./managers"

const ROOT = path.resolve(__dirname, "../..")

type Manifest = {
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Versions that the plugin is tested with: those that this checkout installs. */
export function tested(name: string): string {
  const { devDependencies } = JSON.parse(
    fs.readFileSync(path.join(ROOT, "package.json"), "utf8"),
  ) as Manifest
  const version = devDependencies[name]
  if (version === undefined) throw new Error(`${name} is not among what this checkout installs.`)
  return version
}

function manifest(): object {
  const medusa = tested("@medusajs/medusa")
  const ofMedusa = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`@medusajs/${name}`, medusa]))
  return {
    name: "fresh-store",
    version: "0.0.1",
    private: true,
    scripts: { build: "medusa build", start: "medusa start", dev: "medusa develop" },
    dependencies: {
      ...ofMedusa("admin-sdk", "admin-shared", "caching", "cli", "dashboard"),
      ...ofMedusa("draft-order", "framework", "medusa"),
      "@medusajs/ui": tested("@medusajs/ui"),
      "@tanstack/react-query": tested("@tanstack/react-query"),
      "react-i18next": tested("react-i18next"),
      "react-router-dom": tested("react-router-dom"),
      zod: "4.2.0",
    },
    devDependencies: {
      ...ofMedusa("test-utils"),
      "@swc/core": "^1.7.28",
      "@swc/jest": "^0.2.36",
      "@types/jest": "^29.5.13",
      "@types/node": "^20.12.11",
      "@types/react": "^18.3.2",
      "@types/react-dom": "^18.2.25",
      jest: "^29.7.0",
      "prop-types": "^15.8.1",
      react: "^18.3.1",
      "react-dom": "^18.3.1",
      "ts-node": "^10.9.2",
      typescript: "^5.6.2",
      vite: "^5.4.14",
      yalc: "^1.0.0-pre.53",
    },
    engines: { node: ">=20" },
  }
}

const CONFIG = `import { loadEnv, defineConfig } from '@medusajs/framework/utils'

loadEnv(process.env.NODE_ENV || 'development', process.cwd())

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: process.env.STORE_CORS!,
      adminCors: process.env.ADMIN_CORS!,
      authCors: process.env.AUTH_CORS!,
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    }
  }
})
`

const TYPESCRIPT = {
  compilerOptions: {
    target: "ES2021",
    esModuleInterop: true,
    module: "Node16",
    moduleResolution: "Node16",
    emitDecoratorMetadata: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    skipDefaultLibCheck: true,
    declaration: false,
    sourceMap: false,
    inlineSourceMap: true,
    outDir: "./.medusa/server",
    rootDir: "./",
    jsx: "react-jsx",
    forceConsistentCasingInFileNames: true,
    resolveJsonModule: true,
    checkJs: false,
    strictNullChecks: true,
  },
  "ts-node": { swc: true },
  include: ["**/*", ".medusa/types/*"],
  exclude: ["node_modules", ".medusa/server", ".medusa/admin", ".cache"],
}

const ADMIN_TYPESCRIPT = {
  compilerOptions: {
    target: "ES2020",
    useDefineForClassFields: true,
    lib: ["ES2020", "DOM", "DOM.Iterable"],
    module: "ESNext",
    skipLibCheck: true,
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    isolatedModules: true,
    noEmit: true,
    jsx: "react-jsx",
    strict: true,
  },
  include: ["."],
}

const ROUTE = `import { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

export async function GET(req: MedusaRequest, res: MedusaResponse) {
  res.sendStatus(200)
}
`

/** Writes the application's files; nothing is installed. */
export function layOut(folder: string, { files }: Manager): void {
  const all: Record<string, string> = {
    "package.json": json(manifest()),
    "medusa-config.ts": CONFIG,
    "tsconfig.json": json(TYPESCRIPT),
    "instrumentation.ts": "// Medusa's own tracing is set up here.\n",
    "src/admin/tsconfig.json": json(ADMIN_TYPESCRIPT),
    "src/admin/vite-env.d.ts": '/// <reference types="vite/client" />\n',
    "src/admin/i18n/index.ts": "export default {}\n",
    "src/api/store/custom/route.ts": ROUTE,
    "src/api/admin/custom/route.ts": ROUTE,
    ".gitignore": "/dist\n.env\nnode_modules\n.medusa\n",
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
