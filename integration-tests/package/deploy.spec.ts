/** The example deployment: no password of its own, nothing of the machine in an image, few rights. */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import {
  COMPARISON_BYTES_LIMIT,
  STORE_BYTES_LIMIT,
  STREAM_BYTES_LIMIT,
} from "../../bench/support/memory-limits"
import { LIMITS } from "../../src/core/limits"

const FOLDER = path.resolve(__dirname, "../../examples/deploy")
const read = (file: string) => fs.readFileSync(path.join(FOLDER, file), "utf8")

it("[D15] no file of the example deployment holds a password, and compose asks for one", () => {
  for (const file of fs.readdirSync(FOLDER)) {
    const lines = read(file).replaceAll(/#.*/g, "").split("\n")
    const set = lines.filter((line) => /password\w*\s*[:=]\s*\S|:\/\/\w+:[^@]+@/i.test(line))
    expect(set.filter((line) => !/\$\{POSTGRES_PASSWORD:\?/.test(line))).toEqual([])
  }
  expect(read("compose.yaml").match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2)
})

it("[D15] an image is built without secrets, modules and history of the machine", () => {
  const left = read(".dockerignore").split("\n")
  for (const entry of ["**/.env", "**/.env.*", ".git", "**/node_modules", "**/.medusa"]) {
    expect(left).toContain(entry)
  }
  // A folder of its own ends up in the image: not the build's, where a registry's token may be.
  const [, image = ""] = read("Dockerfile")
    .split(/^FROM .*$/m)
    .slice(1)
  expect(image.match(/^(COPY|ADD) .*$/gm)).toEqual(["COPY --from=build /store/.medusa/server ./"])
  expect(read("Dockerfile")).toMatch(/^USER node$/m)
})

/** The steps of the first stage, as the shell runs them. */
const buildSteps = () => {
  const [, stage = ""] = read("Dockerfile").split(/^FROM .*$/m)
  const steps = stage.replaceAll("\\\n", " ").matchAll(/^RUN (.*)$/gm)
  return [...steps].map(([, step = ""]) => step).filter((step) => step !== "corepack enable")
}

it.each([
  ["package-lock.json", ["npm ci", "npm run build", "npm ci --omit=dev"]],
  [
    "pnpm-lock.yaml",
    ["pnpm install --frozen-lockfile", "npm run build", "pnpm install --prod --frozen-lockfile"],
  ],
])("[D15] an image is installed by the store's lock file, %s, and what it names", (lock, asked) => {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-image-"))
  try {
    const bin = path.join(store, "bin")
    for (const folder of [bin, path.join(store, "vendor"), path.join(store, ".medusa/server")]) {
      fs.mkdirSync(folder, { recursive: true })
    }
    for (const file of [lock, "vendor/plugin.tgz", ".npmrc"]) {
      fs.writeFileSync(path.join(store, file), "")
    }
    // As `medusa build` does.
    if (lock === "package-lock.json") {
      fs.copyFileSync(path.join(store, lock), path.join(store, ".medusa/server", lock))
    }
    for (const name of ["npm", "pnpm"]) {
      const says = `#!/bin/sh\necho "${name} $*" >> "${store}/asked"\nls -A > "${store}/seen"\n`
      fs.writeFileSync(path.join(bin, name), says, { mode: 0o755 })
    }
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` }
    for (const step of buildSteps()) execFileSync("sh", ["-ec", step], { cwd: store, env })
    expect(fs.readFileSync(path.join(store, "asked"), "utf8").trim().split("\n")).toEqual(asked)
    const seen = fs.readFileSync(path.join(store, "seen"), "utf8").trim().split("\n")
    expect(seen).toEqual(expect.arrayContaining([lock, "vendor", ".npmrc"]))
    const kept = fs.readdirSync(path.join(store, ".medusa/server")).sort()
    expect(kept).toEqual([lock, "vendor"].sort())
  } finally {
    fs.rmSync(store, { recursive: true })
  }
})

it("[D15] certificates and queues outlive their containers", () => {
  const compose = read("compose.yaml")
  const named = [...(/^volumes:\n([^]*)$/m.exec(compose)?.[1] ?? "").matchAll(/^ {2}(\w+):/gm)]
  const places = [...compose.matchAll(/^ +volumes: \[(.*)\]$/gm)].flatMap(([, list = ""]) =>
    list.split(", "),
  )
  expect(places.map((place) => place.split(":")[1]).sort()).toEqual(
    ["/config", "/data", "/data", "/var/lib/postgresql/data"].sort(),
  )
  expect(places.map((place) => place.split(":")[0]).sort()).toEqual(
    named.map(([, name]) => name).sort(),
  )
})

it("[D15] each process of the example deployment runs without rights that it doesn't need", () => {
  const pods = read("kubernetes.yaml")
    .split(/^---$/m)
    .filter((text) => text.includes("containers:"))
  expect(pods.length).toBeGreaterThan(2)
  for (const pod of pods) {
    expect(pod).toContain("runAsNonRoot: true")
    expect(pod).toContain("automountServiceAccountToken: false")
    expect(pod.match(/drop: \[ALL\]/g)).toHaveLength(
      pod.match(/- name: \w+\n +image:/g)?.length ?? 0,
    )
  }
  expect(read("compose.yaml")).toMatch(/x-store: &store[^]*cap_drop: \[ALL\][^]*services:/)
})

const BYTES: Readonly<Record<string, number>> = { Mi: 2 ** 20, m: 2 ** 20, Gi: 2 ** 30, g: 2 ** 30 }

function memoryIn(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(
    ([, count, unit]) => Number(count) * (BYTES[unit ?? ""] ?? 0),
  )
}

it("[D15] a process of the example deployment has memory for all streams and the longest comparison", () => {
  const { streamsMax, streamUnreadBytesMax } = LIMITS
  const streams = streamsMax * (STREAM_BYTES_LIMIT + streamUnreadBytesMax)
  const needed = STORE_BYTES_LIMIT + streams + COMPARISON_BYTES_LIMIT
  const given = [
    ...memoryIn(read("kubernetes.yaml"), /limits: \{ memory: (\d+)(\w+) \}/g),
    ...memoryIn(read("compose.yaml"), /mem_limit: (\d+)(\w)$/gm),
  ]
  expect(given).toHaveLength(3)
  expect(Math.min(...given)).toBeGreaterThan(needed)
  const asked = memoryIn(read("kubernetes.yaml"), /requests: \{.*memory: (\d+)(\w+) \}/g)
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(STORE_BYTES_LIMIT)
})
