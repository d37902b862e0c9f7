/** The admin's routes as they stand in the source, found by walking it: none can be forgotten. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../../../src/api/admin/merchant-payments")

/** `GET operations/:id`, below `/admin/merchant-payments/`; sorted. */
export function adminRoutes(): string[] {
  return readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .flatMap((file) => {
      const address = path
        .dirname(file)
        .split(path.sep)
        .map((part) => part.replace(/^\[(.+)\]$/, ":$1"))
        .join("/")
      const source = readFileSync(path.join(ROOT, file), "utf8")
      const methods = source.matchAll(/export (?:const|async function|function) ([A-Z]+)\b/g)
      return [...methods].map(([, method]) => `${method ?? ""} ${address}`)
    })
    .sort()
}
