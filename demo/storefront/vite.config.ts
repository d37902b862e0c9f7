/** Builds the demo shop to static files. Its settings come at run time, with the page. */
import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

const EMPTY = "\0no-admin"

/** A third of the script would be the SDK's calls of Medusa's admin, which no shopper makes. */
const withoutAdmin: Plugin = {
  name: "without-admin",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "./admin/index.js" && importer?.includes("@medusajs/js-sdk") ? EMPTY : null,
  load: (id) => (id === EMPTY ? "export class Admin {}" : null),
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), withoutAdmin],
  build: { outDir: "dist", emptyOutDir: true, target: ["chrome80", "safari14"] },
})
