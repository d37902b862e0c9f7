/** What a shop gets from the registry: the packed tarball, unpacked and used as a dependency. */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { buildAll } from "../../demo/run/build.cjs"
import { CERTIFICATE, KEY } from "../gateway/certificate"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const INSTALLED = path.join(ROOT, "demo/store/node_modules/medusa-plugin-merchant-payments")

type Manifest = {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  exports: Record<string, unknown>
}

function filesBelow(folder: string, base = folder): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(full, base) : [path.relative(base, full)]
  })
}

const manifest = () =>
  JSON.parse(fs.readFileSync(path.join(INSTALLED, "package.json"), "utf8")) as Manifest

beforeAll(async () => {
  const logs = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-build-"))
  const signal = new AbortController().signal
  await buildAll({ root: ROOT, logs, say: () => {}, signal, hasStorefront: false })
  fs.rmSync(logs, { recursive: true })
})

describe("the packed package", () => {
  it("holds the plugin and the contract, and no tests, sources, demo or simulator", () => {
    const files = filesBelow(INSTALLED)
    for (const wanted of [
      "package.json",
      "README.md",
      "README.fr.md",
      "docs/install.md",
      "docs/install.fr.md",
      "LICENSE",
      "contract/openapi.json",
      ".medusa/server/src/config.js",
      ".medusa/server/src/config.d.ts",
      ".medusa/server/src/events.d.ts",
      ".medusa/server/src/payments.d.ts",
      ".medusa/server/src/core/merchant-payment.d.ts",
      ".medusa/server/src/links/payments-in-medusa.js",
      "examples/store/check-the-cart.ts",
      "examples/store/after-the-order.ts",
      "examples/store/verify-the-captcha.ts",
      "examples/store/tell-the-shop.ts",
      "examples/store/clean-regions.ts",
      "examples/store/instrumentation.ts",
      "examples/deploy/.dockerignore",
      "examples/observability/alerts.yml",
      "examples/observability/dashboard.json",
      "docs/upgrade.md",
      ".medusa/server/src/gateway/index.js",
      ".medusa/server/src/providers/merchant-payments/index.js",
      ".medusa/server/src/modules/merchant-payments/index.js",
      ".medusa/server/src/jobs/merchant-payments-check.js",
      ".medusa/server/src/jobs/merchant-payments-upkeep.js",
      ".medusa/server/src/jobs/merchant-payments-receipts.js",
      ".medusa/server/src/jobs/merchant-payments-notifications.js",
      // The commands that docs/upgrade.md and docs/reconciliation.md tell merchants to type.
      ".medusa/server/src/scripts/leave-regions.js",
      ".medusa/server/src/scripts/reconcile.js",
      // The one that the form of an issue names.
      ".medusa/server/src/scripts/support-bundle.js",
      ".medusa/server/src/admin/index.mjs",
    ]) {
      expect(files).toContain(wanted)
    }
    const strangers = files.filter((file) =>
      /\.spec\.|\/testing\/|^(src|demo|bench|packages|dist)\//.test(file),
    )
    expect(strangers).toEqual([])
  })

  it("[D7] names in its lock file what each package has to be, and no registry", () => {
    type Locked = { link?: true; integrity?: string; resolved?: string }
    const { packages } = JSON.parse(
      fs.readFileSync(path.join(ROOT, "package-lock.json"), "utf8"),
    ) as { packages: Record<string, Locked> }
    const installed = Object.entries(packages).filter(
      ([name, { link }]) => name.includes("node_modules/") && !link,
    )
    expect(installed.length).toBeGreaterThan(1_000)
    const without = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))
    expect(without.map(([name]) => name)).toEqual([])
    const hosts = Object.values(packages).filter(({ resolved }) => /^\w+:/.test(resolved ?? ""))
    expect(hosts).toEqual([])
  })

  it("[S12] depends at run time only on this short list", () => {
    expect(Object.keys(manifest().dependencies).sort()).toEqual([
      "google-libphonenumber",
      "ipaddr.js",
      "qrcode.react",
      "undici",
      "uuid",
      "zod",
    ])
    expect(Object.keys(manifest().peerDependencies).sort()).toEqual([
      "@medusajs/admin-sdk",
      "@medusajs/dashboard",
      "@medusajs/framework",
      "@medusajs/icons",
      "@medusajs/medusa",
      "@medusajs/ui",
      "@tanstack/react-query",
      "react",
      "react-i18next",
      "react-router-dom",
    ])
  })

  it("passes publint, and its types resolve from CommonJS and from ES modules", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-pack-"))
    const bin = (name: string) => path.join(ROOT, "node_modules/.bin", name)
    const run = (file: string, ...args: string[]) =>
      execFileSync(file, args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" })
    run("npm", "pack", "--ignore-scripts", "--pack-destination", folder)
    const tarball = path.join(folder, fs.readdirSync(folder)[0] ?? "")
    run(bin("publint"), tarball, "--strict")
    run(bin("attw"), tarball)
    fs.rmSync(folder, { recursive: true })
  })

  it("resolves each exported entry from a store", () => {
    const shop = path.join(ROOT, "demo/store")
    const entries = ["config", "gateway", "payments", "providers/merchant-payments"]
    const script = entries
      .map((entry) => `require.resolve("medusa-plugin-merchant-payments/${entry}")`)
      .join(";")
    expect(() => execFileSync(process.execPath, ["-e", script], { cwd: shop })).not.toThrow()
  })

  it("[S11] never loads the simulator from the plugin", () => {
    const built = path.join(INSTALLED, ".medusa/server")
    const plugin = filesBelow(built)
      .filter((file) => file.endsWith(".js"))
      .map((file) => fs.readFileSync(path.join(built, file), "utf8"))
    expect(plugin.some((text) => text.includes("rejectUnauthorized: true"))).toBe(true)
    expect(plugin.filter((text) => /require\(["'][^"']*simulator/.test(text))).toEqual([])
    expect(plugin.filter((text) => /rejectUnauthorized: (?!true)/.test(text))).toEqual([])
  })

  it("[S08] checks certificates whatever the environment says", () => {
    const script = `
      const { createServer } = require("node:https")
      const { createGateway } = require("medusa-plugin-merchant-payments/gateway")
      const [key, cert] = JSON.parse(process.argv[1])
      const server = createServer({ key, cert }, () => console.log("a request came"))
      server.listen(0, "localhost", async () => {
        const baseUrl = "https://localhost:" + server.address().port
        const gateway = createGateway({ baseUrl, clientId: "a", clientSecret: "b" })
        const { kind, error } = await gateway.token.check()
        console.log(kind, error.reason)
        await gateway.close()
        server.close()
      })
    `
    const answer = execFileSync(
      process.execPath,
      ["-e", script, JSON.stringify([KEY, CERTIFICATE])],
      {
        cwd: path.join(ROOT, "demo/store"),
        env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" },
        encoding: "utf8",
      },
    )
    expect(answer).toBe("not_sent tls\n")
  })

  it("[B7] contains the gateway's client and depends on no other package of this repository", () => {
    const names = ["gateway", "simulator", "checkout"].map((one) => {
      const file = path.join(ROOT, "packages", one, "package.json")
      return (JSON.parse(fs.readFileSync(file, "utf8")) as { name: string }).name
    })
    const { dependencies, peerDependencies } = manifest()
    const asked = Object.keys({ ...dependencies, ...peerDependencies })
    expect(asked.filter((name) => names.includes(name))).toEqual([])
    const named = filesBelow(INSTALLED)
      .filter((file) => /\.(js|mjs|d\.ts)$/.test(file))
      .filter((file) => {
        const text = fs.readFileSync(path.join(INSTALLED, file), "utf8")
        return names.some((name) =>
          new RegExp(`(from|require\\(|import\\() ?["']${name}`).test(text),
        )
      })
    expect(named).toEqual([])
  })

  it("lets a program use the gateway client without Medusa", () => {
    const script = `
      const { createGateway } = require("medusa-plugin-merchant-payments/gateway")
      createGateway({ baseUrl: "https://gateway.example", clientId: "a", clientSecret: "b" })
      const loaded = Object.keys(require.cache).filter((file) => file.includes("@medusajs"))
      if (loaded.length > 0) throw new Error(loaded[0])
    `
    const cwd = path.join(ROOT, "demo/store")
    expect(() => execFileSync(process.execPath, ["-e", script], { cwd })).not.toThrow()
  })
})
