import { originOf, readOptions } from "./options.cjs"

const ROOT = "/shop"

describe("options of the demo", () => {
  it("without any variable are the usual ports and folder", () => {
    expect(readOptions({}, ROOT)).toEqual({
      root: ROOT,
      dir: "/shop/.demo",
      ports: { storefront: 4100, store: 4101, simulator: 4102, postgres: 4103 },
      hasStorefront: true,
      databaseUrl: null,
      orderPlacement: "pay_first",
      feeBearer: null,
      wire: "tidy",
      isWithout: { credentials: false, key: false },
      otherOrigins: null,
      timeZone: null,
      seedCount: 200,
      gateway: null,
      cluster: null,
    })
  })

  it("PORT_BASE moves all ports", () => {
    expect(readOptions({ PORT_BASE: "5000" }, ROOT).ports).toEqual({
      storefront: 5000,
      store: 5001,
      simulator: 5002,
      postgres: 5003,
    })
  })

  it.each([
    ["PORT_BASE", "eighty"],
    ["PORT_BASE", "65535"],
    ["PORT_BASE", "-1"],
    ["DATABASE_URL", "mysql://localhost/shop"],
    ["DATABASE_URL", "localhost:5432"],
    ["DEMO_ORDER_PLACEMENT", "later"],
    ["DEMO_FEE_BEARER", "payer"],
    ["DEMO_WITHOUT", "secrets"],
    ["DEMO_WIRE", "ODD"],
    ["DEMO_SEED_COUNT", "many"],
    ["DEMO_SEED_COUNT", "0"],
  ])("%s=%s is refused by name", (name, value) => {
    expect(() => readOptions({ [name]: value }, ROOT)).toThrow(name)
  })

  it.each(["PAYER", "PAYEE"])("DEMO_FEE_BEARER=%s says who bears the fees", (feeBearer) => {
    expect(readOptions({ DEMO_FEE_BEARER: feeBearer }, ROOT)).toMatchObject({ feeBearer })
  })

  it.each(["tidy", "loose", "odd"])("DEMO_WIRE=%s says how the simulator answers", (wire) => {
    expect(readOptions({ DEMO_WIRE: wire }, ROOT)).toMatchObject({ wire })
  })

  it("DEMO_WITHOUT leaves things out for the merchant to type", () => {
    expect(readOptions({ DEMO_WITHOUT: "credentials" }, ROOT).isWithout).toEqual({
      credentials: true,
      key: false,
    })
    expect(readOptions({ DEMO_WITHOUT: "credentials, key" }, ROOT).isWithout).toEqual({
      credentials: true,
      key: true,
    })
  })

  it("an address of another gateway is handed to the store with its credentials", () => {
    const env = {
      MERCHANT_PAYMENTS_BASE_URL: "https://gateway.example",
      MERCHANT_PAYMENTS_CLIENT_ID: "id",
      MERCHANT_PAYMENTS_CLIENT_SECRET: "secret",
    }
    expect(readOptions(env, ROOT).gateway).toEqual(env)
  })

  it("an origin has no trailing slash", () => {
    expect(originOf(4100)).toBe("http://localhost:4100")
  })
})
