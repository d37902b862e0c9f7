/** Commands in the documents install none of our packages by a name that isn't published yet. */
import fs from "node:fs"
import path from "node:path"

const ROOT = path.resolve(__dirname, "../..")
const PAGES = [
  "",
  "docs",
  "packages/gateway",
  "packages/simulator",
  "packages/checkout",
  "examples/nextjs",
]
  .flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith(".md"))
      .map((file) => path.join(folder, file)),
  )
  .sort()
const OURS = ["", "gateway", "simulator", "checkout"].map((one) => {
  const file = path.join(ROOT, one && `packages/${one}`, "package.json")
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { name: string }).name
})

/** Words of commands that install or run a package, each with its command. */
function fetched(text: string): string[] {
  const commands = text
    .replaceAll("\\\n", " ")
    .match(/(?:npm (?:install|i|add|exec)|pnpm (?:add|dlx)|yarn add|npx)\b[^\n`]*/g)
  return (commands ?? []).flatMap((command) => {
    const isKept = / --no\b| --no-install\b/.test(command)
    return command
      .split(/\s+/)
      .filter((word) => OURS.includes(word.replace(/@[\d^~].*$/, "")) && !isKept)
  })
}

it("[D15] the reader of the commands finds a name", () => {
  expect(fetched("npx merchant-payments-simulator --port 1")).toHaveLength(1)
  expect(fetched("npm install \\\n  merchant-payments-gateway@^0.1.0")).toHaveLength(1)
  expect(fetched("npx --no -- merchant-payments-simulator")).toEqual([])
  expect(fetched("npm install ./vendor/merchant-payments-gateway-0.1.0.tgz")).toEqual([])
})

it.each(PAGES)("[D15] no command in %s installs one of our packages from the registry", (page) => {
  expect(fetched(fs.readFileSync(path.join(ROOT, page), "utf8"))).toEqual([])
})
