/**
 * A part of the admin extension that doesn't fit the dashboard takes nothing else with it: a store
 * that pins another `react-router-dom`, as Medusa's own starter does, keeps its menu and its pages.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import type { Browser, Page } from "playwright-core"
import dashboard from "@medusajs/dashboard/package.json"
import "./admin-edges/window"
import { launchChromium } from "./support/chromium"

const ROOT = resolve(__dirname, "../..")
const CONFIG = join(__dirname, "admin-edges/vite.config.mjs")
const ADDRESS = "http://dashboard.example"

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(() => browser.close())

const REACT_18 = "."
const REACT_19 = "integration-tests/react-19"

/**
 * @param other the library of which the extension has a copy of its own
 * @param reactOf the folder whose React everything runs on, below the project
 */
async function scriptWith(other: string, reactOf = REACT_18): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "admin-edges-"))
  try {
    const vite = join(ROOT, "node_modules/vite/bin/vite.js")
    await promisify(execFile)(process.execPath, [vite, "build", "--config", CONFIG], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: "production",
        OTHER_COPY: other,
        REACT_OF: join(ROOT, reactOf),
        ADMIN_EDGES_OUT: folder,
      },
    })
    return await readFile(join(folder, "dashboard.js"), "utf8")
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Given = {
  readonly script: string
  readonly answer: { readonly status: number; readonly body: string }
  readonly language?: string
}

async function opened({ script, answer, language = "en" }: Given): Promise<Page> {
  const page = await browser.newPage()
  await page.addInitScript((lng) => localStorage.setItem("lng", lng), language)
  await page.route(`${ADDRESS}/**`, (asked) => {
    const { pathname } = new URL(asked.request().url())
    if (pathname === "/dashboard.js") {
      return asked.fulfill({ contentType: "text/javascript", body: script })
    }
    if (pathname !== "/") return asked.fulfill({ contentType: "application/json", ...answer })
    const body = `<div id="root"></div><script type="module" src="/dashboard.js"></script>`
    return asked.fulfill({ contentType: "text/html", body })
  })
  await page.goto(ADDRESS)
  await page.getByText("Orders", { exact: true }).waitFor({ state: "attached" })
  return page
}

/** Opens each page, and answers what stands in the place of the parts that don't fit, by page. */
async function misfitsIn(page: Page): Promise<Readonly<Record<string, readonly string[]>>> {
  const paths = await page.evaluate(() => window.dashboard.paths)
  expect(paths.length).toBeGreaterThan(8)
  const found: Record<string, readonly string[]> = {}
  for (const path of paths) {
    await page.evaluate((to) => window.dashboard.open(to), path)
    await page.getByRole("heading", { name: path === "/orders/7" ? "Order 7" : path }).waitFor()
    await page.getByText("Orders", { exact: true }).waitFor()
    expect(await page.getByTestId("icon").locator("svg, [role=status]").count()).toBe(2)
    found[path] = await page.getByTestId("dashboard-misfit").allInnerTexts()
  }
  return found
}

const REFUSED = { status: 404, body: JSON.stringify({ type: "not_found", message: "Not found" }) }

describe.each(["react-router-dom", "@tanstack/react-query", "react-i18next"] as const)(
  "with another copy of %s than the dashboard's",
  (library) => {
    let script: string

    beforeAll(async () => {
      script = await scriptWith(library)
    })

    it("each of our parts names it and the version to set, and all other pages stay whole", async () => {
      const page = await opened({ script, answer: REFUSED })
      for (const [path, texts] of Object.entries(await misfitsIn(page))) {
        expect([path, texts]).toEqual([path, [expect.stringContaining("another copy")]])
        expect(texts[0]).toContain(`"${library}": "${dashboard.dependencies[library]}"`)
      }
      await page.close()
    })

    it("our parts say so in French where the dashboard is French", async () => {
      const page = await opened({ script, answer: REFUSED, language: "fr" })
      const texts = Object.values(await misfitsIn(page)).flat()
      expect(texts).not.toEqual([])
      for (const text of texts) expect(text).toContain("une autre copie")
      await page.close()
    })
  },
)

it("a part of another @medusajs/ui falls alone, also where it fails on what the store answers", async () => {
  const script = await scriptWith("@medusajs/ui")
  const page = await opened({ script, answer: { status: 200, body: "{}" } })
  const texts = Object.values(await misfitsIn(page)).flat()
  expect(texts).not.toEqual([])
  for (const text of texts) expect(text).toContain("Something went wrong while it was shown.")
  await page.close()
})

it.each([
  ["18", REACT_18],
  ["19", REACT_19],
])(
  "every part fits React %s where there is one copy of everything, and one that fails falls alone",
  async (version, reactOf) => {
    const script = await scriptWith("none", reactOf)
    const page = await opened({ script, answer: REFUSED })
    expect(await page.evaluate(() => window.dashboard.react)).toMatch(new RegExp(`^${version}\\.`))
    expect(Object.values(await misfitsIn(page)).flat()).toEqual([])
    await page.close()
    const broken = await opened({ script, answer: { status: 200, body: "{}" } })
    expect(Object.values(await misfitsIn(broken)).flat()).not.toEqual([])
    await broken.close()
  },
)
