/**
 * A store has one copy of zod, in Medusa's own version, which is older than the one that the other
 * tests run with: each file of the plugin and of its client makes its schemas by that one, too.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import manifest from "../../package.json"

const ROOT = path.resolve(__dirname, "../..")
const ofMedusa = createRequire(path.join(ROOT, "node_modules/@medusajs/deps/package.json"))
const MEDUSAS = ofMedusa.resolve("zod")

const FILES = ["src", "packages/gateway/src"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file))
    .map((file) => path.join(ROOT, folder, file))
    .filter((file) => /^import \{[^}]*\} from "zod"/m.test(readFileSync(file, "utf8"))),
)

it("Medusa's own zod makes each schema of the plugin and of its client", () => {
  expect(FILES.length).toBeGreaterThan(20)
  const { version } = ofMedusa("zod/package.json") as { readonly version: string }
  const lowest = manifest.dependencies.zod.replace("^", "")
  expect([lowest, version].sort(byVersion)).toEqual([lowest, version])
  jest.isolateModules(() => {
    jest.doMock("zod", () => jest.requireActual<object>(MEDUSAS))
    for (const file of FILES) expect(() => jest.requireActual<object>(file)).not.toThrow()
    jest.dontMock("zod")
  })
})

const byVersion = (one: string, other: string) => one.localeCompare(other, "en", { numeric: true })
