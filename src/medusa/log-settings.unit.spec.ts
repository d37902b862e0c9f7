/**
 * Whatever of a store's own settings keeps money away in production is said twice, in the same
 * words: by one line of the log at boot, and by a line of the setup check.
 */
import { settingLines } from "../accounts/rules/setting-problems"
import { idFrom, type AccountId } from "../core/ids"
import { readEnvironment } from "./environment"
import { logMissingAccounts, logSettings } from "./log-settings"
import { isMedusaCommand } from "./medusa-command"

const KEY = Buffer.alloc(32, 7).toString("base64")
const RIGHT: Readonly<Record<string, string | undefined>> = {
  MERCHANT_PAYMENTS_BASE_URL: undefined,
  MERCHANT_PAYMENTS_CLIENT_ID: undefined,
  MERCHANT_PAYMENTS_CLIENT_SECRET: undefined,
  MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "https://shop.example",
  MERCHANT_PAYMENTS_PUBLIC_URL: "https://api.shop.example",
  MERCHANT_PAYMENTS_TIME_ZONE: undefined,
  MERCHANT_PAYMENTS_ENCRYPTION_KEY: KEY,
  MERCHANT_PAYMENTS_ENCRYPTION_KEY_PREVIOUS: undefined,
}
const CREDENTIALS_UNSET = "warn credentials_unset"

/** The lines of the log at boot, as `level text`; and what the setup check is given. */
function booted(
  given: Readonly<Record<string, string | undefined>>,
  options?: unknown,
  isProduction = true,
) {
  const variables = { ...RIGHT, ...given }
  const environment = readEnvironment(variables, options, isProduction)
  const logged: string[] = []
  const log = (level: string) => (text: string) => void logged.push(`${level} ${text}`)
  logSettings({ warn: log("warn"), error: log("error") }, environment, variables)
  return { logged, problems: environment.problems }
}

type Row = [
  code: string,
  level: "warn" | "error",
  variables: Readonly<Record<string, string | undefined>>,
  options?: unknown,
]

const CLIENT = {
  MERCHANT_PAYMENTS_BASE_URL: "https://gateway.example",
  MERCHANT_PAYMENTS_CLIENT_ID: "client",
}

const ROWS: readonly Row[] = [
  ["credentials_missing", "error", CLIENT],
  [
    "base_url_unusable",
    "error",
    {
      ...CLIENT,
      MERCHANT_PAYMENTS_CLIENT_SECRET: "secret",
      MERCHANT_PAYMENTS_BASE_URL: "http://gateway.example",
    },
  ],
  ["origins_missing", "warn", { MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: " " }],
  ["origins_wrong", "error", { MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "https://shop.example/fr" }],
  [
    "origins_only_previews",
    "warn",
    { MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "https://*.preview.shop.example" },
  ],
  ["origins_http", "error", { MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "http://shop.example" }],
  ["public_url_missing", "warn", { MERCHANT_PAYMENTS_PUBLIC_URL: undefined }],
  ["public_url_wrong", "error", { MERCHANT_PAYMENTS_PUBLIC_URL: "api.shop.example" }],
  ["public_url_http", "error", { MERCHANT_PAYMENTS_PUBLIC_URL: "http://api.shop.example" }],
  ["staging_store", "warn", { MERCHANT_PAYMENTS_STAGING_SIMULATOR: "http://simulator:4010" }],
  ["staging_wrong", "error", { MERCHANT_PAYMENTS_STAGING_SIMULATOR: "https://simulator:4010" }],
  ["proxies_wrong", "error", { MERCHANT_PAYMENTS_PROXIES: "private, 10.0.0.0/33" }],
  ["time_zone_wrong", "warn", { MERCHANT_PAYMENTS_TIME_ZONE: "Liberia" }],
  ["options_invalid", "error", {}, { account: { order_placement: "whenever" } }],
]

it.each(ROWS.map(([code, level, variables, options]) => ({ code, level, variables, options })))(
  "$code is said by one $level at boot, and by the setup check",
  ({ code, level, variables, options }) => {
    const { logged, problems } = booted(variables, options)
    const lines = settingLines(problems)
    expect(lines.map((line) => line.code)).toEqual([code])
    expect(lines[0]?.status).toBe(level === "error" ? "failed" : "warning")
    const said = logged.filter((line) => line.endsWith(`merchant payments: ${lines[0]?.message}`))
    expect(said).toEqual([expect.stringMatching(new RegExp(`^${level} `))])
    const [first] = lines
    // It says what to set, or what is wrong with it.
    expect(first?.message).toMatch(/MERCHANT_PAYMENTS_|options/)
  },
)

it("where all is right says nothing but that accounts are to be typed in", () => {
  const { logged, problems } = booted({})
  expect(problems.map(({ status, code }) => `${status.slice(0, 4)} ${code}`)).toEqual([
    CREDENTIALS_UNSET,
  ])
  expect(logged).toEqual([])
  expect(settingLines(problems)).toMatchObject([{ name: "settings", status: "ok" }])
})

/** What the log says once the database has said which accounts there are. */
function loggedWith(accounts: readonly string[], variables = {}): string[] {
  const logged: string[] = []
  const environment = readEnvironment({ ...RIGHT, ...variables }, undefined, true)
  logMissingAccounts(
    { warn: (text) => void logged.push(text) },
    environment,
    accounts.map((id) => ({ id: idFrom<AccountId>(id) })),
  )
  return logged
}

it("no payments are offered is said only where no account is set or typed in", () => {
  const said = [expect.stringContaining("No payments are offered: set MERCHANT_PAYMENTS_BASE_URL")]
  expect(loggedWith([])).toEqual(said)
  // The environment's account of before stays for its payments, and takes none.
  expect(loggedWith(["mpacc_env"])).toEqual(said)
  expect(loggedWith(["mpacc_typed"])).toEqual([])
  expect(loggedWith(["mpacc_env", "mpacc_typed"])).toEqual([])
  const set = { ...CLIENT, MERCHANT_PAYMENTS_CLIENT_SECRET: "secret" }
  expect(loggedWith([], set)).toEqual([])
  expect(loggedWith(["mpacc_env"], set)).toEqual([])
})

it.each([
  ["https://gateway.example/v1", "must not have a path"],
  [
    "http://gateway.example",
    "For staging, MERCHANT_PAYMENTS_STAGING_SIMULATOR names the simulator",
  ],
  ["gateway", "Set the gateway's address"],
])("an address that can't be used is said in the words of the setting: %s", (address, why) => {
  const { problems } = booted({
    ...CLIENT,
    MERCHANT_PAYMENTS_CLIENT_SECRET: "secret",
    MERCHANT_PAYMENTS_BASE_URL: address,
  })
  const [{ message } = { message: "" }] = settingLines(problems)
  expect(message).toMatch(/^The environment's account is not offered: MERCHANT_PAYMENTS_BASE_URL/)
  expect(message).toContain(why)
  expect(message).not.toMatch(/InvalidConfiguration|baseUrl/)
})

it.each([
  ["node_modules/.bin/medusa", "user --email a@b.c", true],
  ["node_modules/@medusajs/cli/cli.js", "exec ./src/scripts/x.js", true],
  ["node_modules/@medusajs/cli/cli.js", "db:migrate", true],
  ["C:\\shop\\node_modules\\@medusajs\\cli\\cli.js", "user", true],
  ["node_modules/.bin/medusa", "--verbose exec x", true],
  ["node_modules/.bin/medusa", "start", false],
  ["node_modules/.bin/medusa", "--verbose develop", false],
  ["node_modules/@medusajs/cli/cli.js", "start --cluster", false],
  ["server.js", "", false],
  ["serve.js", "user", false],
])("whether a process is a command is told from its arguments: %s %s", (program, words, is) => {
  expect(isMedusaCommand(["node", program, ...words.split(" ").filter(Boolean)])).toBe(is)
})

it.each([
  ["key_unset", "warn", { MERCHANT_PAYMENTS_ENCRYPTION_KEY: undefined }, /_KEY is not set/],
  ["key_malformed", "error", { MERCHANT_PAYMENTS_ENCRYPTION_KEY: "short" }, /32 bytes in base64/],
])("%s is said by one %s at boot; the line encryption_key judges it", (_, level, given, said) => {
  const { logged, problems } = booted(given)
  expect(logged.filter((line) => said.test(line))).toEqual([
    expect.stringMatching(new RegExp(`^${level} `)),
  ])
  expect(settingLines(problems)).toMatchObject([{ name: "settings", status: "ok" }])
})

it("outside of production http is right: the simulator and the demo speak it", () => {
  const local = {
    MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "http://localhost:4100",
    MERCHANT_PAYMENTS_PUBLIC_URL: "http://localhost:4101",
  }
  const { problems } = booted(local, undefined, false)
  expect(settingLines(problems)).toMatchObject([{ status: "ok" }])
})
