import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { defineConfig } from "vite"

/**
 * A small dashboard with the plugin's admin extension as one script. `OTHER_COPY` names a library
 * of which the extension gets a second copy, as in a store that pins another version of it;
 * `REACT_OF` the folder whose React all of it runs on.
 */
const ROOT = path.resolve(import.meta.dirname, "../../..")
const reacts = createRequire(path.join(process.env.REACT_OF, "package.json"))
const reactFolder = (name) => path.dirname(reacts.resolve(`${name}/package.json`))
const EXTENSION = path.join(ROOT, "src/admin/")
const SECOND = "?second-copy"
/** A library and the packages that hold its contexts. */
const FAMILIES = {
  "react-router-dom": ["react-router-dom", "react-router"],
  "@tanstack/react-query": ["@tanstack/react-query"],
  "react-i18next": ["react-i18next"],
  "@medusajs/ui": ["@medusajs/ui", "radix-ui", "@radix-ui/react-tooltip"],
}
const family = FAMILIES[process.env.OTHER_COPY] ?? []
const isOfFamily = (id) => family.some((name) => id === name || id.startsWith(`${name}/`))

const secondCopy = {
  name: "second-copy",
  enforce: "pre",
  async resolveId(id, importer = "") {
    const isInside = importer.endsWith(SECOND)
    const from = importer.replace(SECOND, "")
    const isAsked = isOfFamily(id) && (isInside || from.startsWith(EXTENSION))
    if (!isAsked && !(isInside && id.startsWith("."))) return null
    const found = await this.resolve(id, from, { skipSelf: true })
    return found && { ...found, id: `${found.id}${SECOND}` }
  },
  load(id) {
    return id.endsWith(SECOND) ? readFileSync(id.replace(SECOND, ""), "utf8") : null
  },
}

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "error",
  esbuild: { jsx: "automatic" },
  plugins: [secondCopy],
  define: {
    "process.env.NODE_ENV": JSON.stringify("production"),
    __BACKEND_URL__: JSON.stringify(""),
    __AUTH_TYPE__: JSON.stringify("session"),
    __JWT_TOKEN_STORAGE_KEY__: JSON.stringify(""),
  },
  resolve: {
    alias: [
      { find: /^react-dom(?=\/|$)/, replacement: reactFolder("react-dom") },
      { find: /^react(?=\/|$)/, replacement: reactFolder("react") },
      { find: "@medusajs/dashboard/lib", replacement: path.join(import.meta.dirname, "lib.ts") },
      {
        find: /^merchant-payments-gateway$/,
        replacement: path.join(ROOT, "packages/gateway/src/index.ts"),
      },
      {
        find: /^merchant-payments-gateway\/terms\/(.*)$/,
        replacement: path.join(ROOT, "packages/gateway/src/terms/$1.ts"),
      },
    ],
  },
  build: {
    outDir: process.env.ADMIN_EDGES_OUT,
    emptyOutDir: true,
    minify: false,
    lib: { entry: "dashboard.tsx", formats: ["es"], fileName: () => "dashboard.js" },
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
})
