/** What a storefront installs as the kit: the packed workspace. */
import path from "node:path"
import { buildCheckout } from "../../demo/run/build.cjs"
import { bin, ROOT, run, usePacked } from "./support/packed"

jest.setTimeout(600_000)

const HOME = path.join(ROOT, "packages/checkout")

const packed = usePacked("checkout", buildCheckout)

it("the kit's package holds its modules, stylesheet and README, and no tests", () => {
  const files = run("tar", ["-tzf", packed.tarball], HOME).trim().split("\n")
  const wanted = ["README.md", "style.css", "dist/esm/index.js", "dist/cjs/react/index.js"]
  expect(files).toEqual(expect.arrayContaining(wanted.map((file) => `package/${file}`)))
  expect(files.filter((file) => /\.spec\.|\/(testing|src)\//.test(file))).toEqual([])
})

it("the kit's types are found by every way of resolving them, the old one of Next.js storefronts included", () => {
  run(bin("publint"), [packed.tarball, "--strict"], HOME)
  run(bin("attw"), [packed.tarball], HOME)
})
