import { createRequire } from "node:module"
import path from "node:path"
import { defineConfig } from "vite"

/** The page with the React of a folder, `REACT_OF`, as one script. */
const require = createRequire(path.join(process.env.REACT_OF, "package.json"))
const folderOf = (name) => path.dirname(require.resolve(`${name}/package.json`))

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "error",
  esbuild: { jsx: "automatic" },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  resolve: {
    alias: [
      // The kit is an ES module: its imports name the files as they are built.
      { find: /^(\.{1,2}\/.*)\.js$/, replacement: "$1" },
      { find: /^react-dom/, replacement: folderOf("react-dom") },
      { find: /^react(?=\/|$)/, replacement: folderOf("react") },
    ],
  },
  build: {
    outDir: process.env.KIT_PAGE_OUT,
    emptyOutDir: true,
    lib: { entry: "page.tsx", formats: ["es"], fileName: () => "page.js" },
  },
})
