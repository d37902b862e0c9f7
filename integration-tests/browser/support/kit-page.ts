/** The kit on a page of its own, at the shop's address, against the real store. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import type { Page } from "playwright-core"
import type { DemoState } from "./demo"

const ROOT = resolve(__dirname, "../../..")
const STYLE = join(ROOT, "packages/checkout/style.css")
const CONFIG = join(__dirname, "../kit-page/vite.config.mjs")

/** The page's own ground, in both looks: axe takes a page without one for white. */
const GROUND = "body { background: Canvas; color: CanvasText }"

/** @param reactOf the folder whose React it runs on, below the project */
export async function kitScript(reactOf: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kit-page-"))
  try {
    const vite = join(ROOT, "node_modules/vite/bin/vite.js")
    await promisify(execFile)(process.execPath, [vite, "build", "--config", CONFIG], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: "production",
        REACT_OF: join(ROOT, reactOf),
        KIT_PAGE_OUT: folder,
      },
    })
    return await readFile(join(folder, "page.js"), "utf8")
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Opens a page of the shop whose script is the kit's page, and whose stylesheet is the kit's. The
 * document comes from the shop's own server, because Chromium lets no page that a test has made up
 * ask a server on this machine.
 */
export async function openKitPage(
  page: Page,
  { storefront_url, store_api_url, publishable_key, simulator_url }: DemoState,
  kit: { readonly script: string; readonly cartId: string },
): Promise<void> {
  const shop = {
    baseUrl: store_api_url,
    publishableKey: publishable_key,
    cartId: kit.cartId,
    simulatorUrl: simulator_url,
  }
  await page.addInitScript((given) => Object.assign(window, { shop: given }), shop)
  await page.route(`${storefront_url}/assets/*.js`, (asked) =>
    asked.fulfill({ contentType: "text/javascript", body: kit.script }),
  )
  const style = `${await readFile(STYLE, "utf8")} ${GROUND}`
  await page.route(`${storefront_url}/assets/*.css`, (asked) =>
    asked.fulfill({ contentType: "text/css", body: style }),
  )
  await page.goto(`${storefront_url}/kit`)
}
