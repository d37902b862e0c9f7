/**
 * What a shopper's browser loads of the checkout kit, after gzip: the core with its English texts,
 * and everything that `MerchantPayment` needs but React itself.
 */
import path from "node:path"
import { gzipSync } from "node:zlib"
import type { Benchmark, Figure } from "../figure"

const KIT = path.resolve(__dirname, "../../packages/checkout/src")
const CORE_LIMIT_KB = 6
const REACT_LIMIT_KB = 14

const ENTRY = "virtual:entry"
const CORE = `export { createCheckout, problemText, sayIn, en } from "${KIT}/index.ts"`
const REACT = `${CORE}; export { MerchantPayment, MerchantPayments } from "${KIT}/react/index.ts"`

export const kitSize: Benchmark = { name: "kit_gzip_kb", on: "nothing", run: measure }

async function measure(): Promise<Figure> {
  const core = await kilobytesOf(CORE)
  const react = await kilobytesOf(REACT)
  return {
    value: react,
    unit: "kB",
    better: "lower",
    against: "a limit",
    limit: REACT_LIMIT_KB,
    samples: 1,
    core,
    core_limit: CORE_LIMIT_KB,
    react,
  }
}

/** As a shop's build makes it small. */
async function kilobytesOf(code: string): Promise<number> {
  const { build } = await import("vite")
  const built = await build({
    configFile: false,
    logLevel: "error",
    // Vite takes NODE_ENV of this process, which a bench has as "test", for a build to debug.
    esbuild: { jsx: "automatic", jsxDev: false },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    plugins: [
      {
        name: ENTRY,
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
    // The kit is an ES module: its imports name the files as they are built.
    resolve: { alias: [{ find: /^(\.{1,2}\/.*)\.js$/, replacement: "$1" }] },
    build: {
      write: false,
      rollupOptions: {
        input: ENTRY,
        external: ["react", "react/jsx-runtime"],
        preserveEntrySignatures: "strict",
      },
    },
  })
  const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []))
  const bytes = outputs.map((one) => (one.type === "chunk" ? gzipSync(one.code).length : 0))
  return bytes.reduce((total, length) => total + length, 0) / 1_000
}
