/**
 * Whatever of a store's own settings keeps money away in production is said twice, in the same
 * words: by one line of the log at boot, and by a line of the setup check.
 */
import { settingLines } from "../accounts/rules/setting-problems"
import { readEnvironment } from "./environment"
import { logSettings } from "./log-settings"

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
  ["origins_http", "error", { MERCHANT_PAYMENTS_STOREFRONT_ORIGINS: "http://shop.example" }],
  ["public_url_missing", "warn", { MERCHANT_PAYMENTS_PUBLIC_URL: undefined }],
  ["public_url_wrong", "error", { MERCHANT_PAYMENTS_PUBLIC_URL: "api.shop.example" }],
  ["public_url_http", "error", { MERCHANT_PAYMENTS_PUBLIC_URL: "http://api.shop.example" }],
  ["staging_store", "warn", { MERCHANT_PAYMENTS_STAGING_SIMULATOR: "http://simulator:4010" }],
  ["staging_wrong", "error", { MERCHANT_PAYMENTS_STAGING_SIMULATOR: "https://simulator:4010" }],
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
  expect(logged).toHaveLength(1)
  expect(settingLines(problems)).toMatchObject([{ name: "settings", status: "ok" }])
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
