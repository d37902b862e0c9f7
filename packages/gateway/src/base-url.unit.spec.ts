import { isProduction, parseBaseUrl } from "./base-url"
import { InvalidConfiguration } from "./errors"

it.each([
  ["production", true],
  ["staging", true],
  ["Production", true],
  ["", true],
  [undefined, true],
  ["demo", false],
  ["test", false],
  ["development", false],
])("[D7] NODE_ENV of %p counts as production: %p", (environment, counts) => {
  const before = process.env["NODE_ENV"]
  if (environment === undefined) delete process.env["NODE_ENV"]
  else process.env["NODE_ENV"] = environment
  try {
    expect(isProduction()).toBe(counts)
  } finally {
    process.env["NODE_ENV"] = before
  }
})

describe("a staging store", () => {
  const NAMES = ["NODE_ENV", "MERCHANT_PAYMENTS_STAGING_SIMULATOR"] as const
  const before = NAMES.map((name) => [name, process.env[name]] as const)
  const staging = (origin: string) => {
    process.env["NODE_ENV"] = "production"
    process.env["MERCHANT_PAYMENTS_STAGING_SIMULATOR"] = origin
  }
  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  it.each(["http://simulator:4010", "http://10.1.2.3:4010/", " http://localhost:4102 "])(
    "takes the simulator %j that it names, and no other address",
    (origin) => {
      staging(origin)
      expect(isProduction()).toBe(false)
      expect(parseBaseUrl(origin)).toBe(new URL(origin.trim()).origin)
      for (const other of [
        "https://api.example.com",
        "http://simulator:4011",
        "http://127.0.0.1",
      ]) {
        expect(() => parseBaseUrl(other)).toThrow(/only the simulator/)
      }
      expect(() => parseBaseUrl(`${origin.trim()}/path`)).toThrow(InvalidConfiguration)
    },
  )

  it.each(["https://api.example.com", "https://simulator:4010", "simulator:4010", "true", " "])(
    "is none where the variable is %j: a live gateway can't be named, and one is taken",
    (origin) => {
      staging(origin)
      expect(isProduction()).toBe(true)
      expect(() => parseBaseUrl("http://simulator:4010")).toThrow(InvalidConfiguration)
      expect(parseBaseUrl("https://api.example.com")).toBe("https://api.example.com")
    },
  )
})

describe("[S08] the base address", () => {
  it.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    [" https://API.example.com:8443 ", "https://api.example.com:8443"],
  ])("%s is taken, in production too", (text, origin) => {
    expect(parseBaseUrl(text, true)).toBe(origin)
  })

  it.each(["http://localhost:4102", "http://127.0.0.1:4102", "http://[::1]:4102"])(
    "%s is taken outside production only",
    (text) => {
      expect(parseBaseUrl(text, false)).toBe(text)
      expect(() => parseBaseUrl(text, true)).toThrow(InvalidConfiguration)
    },
  )

  it.each(["https://localhost", "https://127.0.0.1:8443", "https://127.1", "https://[::1]"])(
    "[S26] %s is not taken in production",
    (text) => {
      expect(() => parseBaseUrl(text, false)).not.toThrow()
      expect(() => parseBaseUrl(text, true)).toThrow(InvalidConfiguration)
    },
  )

  it.each([
    "http://api.example.com",
    "http://localhost.example.com",
    "ftp://api.example.com",
    "javascript:alert(1)",
    "https://user:CANARY@api.example.com",
    "https://user@api.example.com",
    "https://api.example.com/v1",
    "https://api.example.com/?a=b",
    "https://api.example.com?",
    "https://api.example.com#x",
    "https://203.0.113.7",
    "https://0xcb007107",
    "https://3405803783",
    "https://[2001:db8::1]",
    "https://[::ffff:7f00:1]",
    "http://0.0.0.0:80",
    "api.example.com",
    "",
    undefined,
    null,
    42,
  ])("%s is refused", (text) => {
    expect(() => parseBaseUrl(text, false)).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION", field: "baseUrl" }),
    )
  })

  it("is not repeated in the error", () => {
    expect(() => parseBaseUrl("https://user:CANARY@api.example.com", false)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("CANARY") }),
    )
  })
})
