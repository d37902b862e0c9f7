/**
 * The examples do what they promise about money: held against the simulator's book, with answers
 * lost and processes killed at the worst moments. `examples-money-out.spec.ts` has the other two
 * programs.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import type { FaultEntry } from "../../packages/simulator/src"
import { PROVIDER_IDS } from "../../src/core/flows"
import { isWhole } from "../support/whole-tables"
import { copyExamples } from "./support/copied-examples"
import {
  AMOUNT,
  DONE,
  IMPATIENT,
  NOT_DONE,
  NOT_KNOWN,
  PHONE,
  runExamples,
  SECRET,
  WRONG_USE,
} from "./support/run-examples"

jest.setTimeout(600_000)

const ROOT = path.resolve(__dirname, "../..")
const examples = runExamples()
const charges = () => examples.simulator.book.executions().map((execution) => execution.charges)

describe("the examples", () => {
  it("compile against the packed package as ES modules too, and run", async () => {
    const modules = copyExamples("module")
    try {
      const { code, output } = await examples.start(
        "collect",
        [examples.journal, PHONE, AMOUNT, "USD"],
        {},
        modules,
      ).ended
      expect([code, output]).toEqual([DONE, expect.stringContaining('"paid"')])
    } finally {
      modules.remove()
    }
  })

  it.each(["collect", "refund", "payout"] as const)(
    "show by %s how it is used",
    async (program) => {
      const { code, output } = await examples.start(program, []).ended
      expect([code, output]).toEqual([WRONG_USE, expect.stringContaining("Usage: node")])
      expect(examples.simulator.calls).toEqual({})
    },
  )

  it.each(["collect", "refund", "payout"])(
    "have the usage of %s on a line of its own",
    (program) => {
      const text = fs.readFileSync(path.join(ROOT, `examples/${program}.ts`), "utf8")
      const [, usage = "none"] = /"Usage: ([^"]+)"/.exec(text) ?? []
      // Indented: a formatter of comments joins lines that are not.
      const [, shown, example] = /^ \* {3}(node .+)\n \* {3}(node .+)\n \*\n/m.exec(text) ?? []
      expect([shown, example?.startsWith(`node ${program}.js `)]).toEqual([usage, true])
    },
  )

  it("of docs/gateway-client.md makes a payment page", async () => {
    const { code, output } = await examples.start("quick-start", []).ended
    const [order] = examples.simulator.book.documents()
    expect(order).toMatchObject({ totalAmount: AMOUNT, currency: "USD", status: "ACTIVE" })
    expect([code, output]).toEqual([0, `${examples.simulator.url}${order?.hostedPath}\n`])
  })

  it("are in the package", () => {
    const packed = path.join(ROOT, "demo/store/node_modules/medusa-plugin-merchant-payments")
    const names = (folder: string) => fs.readdirSync(path.join(folder, "examples")).sort()
    // The one for Next.js is of the checkout kit, not of the plugin.
    const own = names(ROOT).filter((name) => name !== "dist" && name !== "nextjs")
    expect(names(packed)).toEqual(own)
  })

  it("import only from the client and from Node", () => {
    const names = fs.readdirSync(path.join(ROOT, "examples")).filter((name) => /\.ts$/.test(name))
    const imports = names.flatMap((name) =>
      [
        ...fs
          .readFileSync(path.join(ROOT, "examples", name), "utf8")
          .matchAll(/from "([^"./][^"]*)"/g),
      ].map(([, from]) => from),
    )
    expect(imports.length).toBeGreaterThan(10)
    expect(
      imports.filter((from) => from !== "merchant-payments-gateway" && !from?.startsWith("node:")),
    ).toEqual([])
  })
})

describe("the patch for Next.js", () => {
  const FOLDER = path.join(ROOT, "examples/nextjs")
  const patch = fs.readFileSync(path.join(FOLDER, "storefront.patch"), "utf8")

  it("is whole, and changes as many lines of the starter as its page says", () => {
    // Outside of a repository, where git counts the files of every folder.
    const cwd = path.parse(ROOT).root
    const file = path.join(FOLDER, "storefront.patch")
    const listed = execFileSync("git", ["apply", "--numstat", file], { cwd })
    const changed = listed
      .toString()
      .trim()
      .split("\n")
      .map((line) => line.split("\t"))
      .filter(([, , file = ""]) => !patch.includes(`--- /dev/null\n+++ b/${file}\n`))
    const lines = changed.reduce((sum, [added]) => sum + Number(added), 0)
    const page = fs.readFileSync(path.join(FOLDER, "README.md"), "utf8")
    expect(page).toContain(`Outside of new files it changes ${lines} lines`)
  })

  it("asks once how to pay, because the kit gets what the payment step has asked", () => {
    for (const providerId of PROVIDER_IDS) expect(patch).toContain(providerId)
    expect(patch).toContain("flow={merchantFlow(paymentSession?.provider_id)}")
    expect(patch).toContain("<MerchantPayment {...props} cart={cart} flow={flow} />")
  })
})

describe("collect.ts", () => {
  it("charges once, and only checks in a second run of the same journal", async () => {
    const first = await examples.collect()
    expect(first.lines.at(-1)).toMatchObject({ what: "paid", amount: AMOUNT, currency: "USD" })
    expect(first.code).toBe(DONE)
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
    expect(examples.simulator.book.documents()).toHaveLength(1)
    expect(examples.simulator.calls["executeCollection"]).toBe(1)
  })

  it("prints neither a phone number nor a secret", async () => {
    examples.simulator.faults.script("getCollectionStatus", ["ok", "500", "422"])
    const { output } = await examples.collect()
    expect(output).not.toContain(PHONE)
    expect(output).not.toContain(SECRET)
    expect(fs.readFileSync(examples.journal, "utf8")).not.toContain(SECRET)
    expect(fs.statSync(examples.journal).mode & 0o077).toBe(0)
  })

  const lost: FaultEntry[] = ["reset:after", "500:after", "html:after", "cut", "429:after"]
  it.each(isWhole ? lost : lost.slice(0, 2))(
    "charges once when the answer of the execution is lost: %s",
    async (fault) => {
      examples.simulator.faults.script("executeCollection", [fault])
      expect((await examples.collect()).code).toBe(DONE)
      expect(charges()).toEqual([1])
      expect(examples.simulator.calls["executeCollection"]).toBe(1)
    },
  )

  it("does not resend what may still arrive, and later sends exactly the same", async () => {
    examples.simulator.faults.script("executeCollection", ["reset:before"])
    expect((await examples.collect(IMPATIENT)).code).toBe(NOT_KNOWN)
    expect((await examples.collect(IMPATIENT)).code).toBe(NOT_KNOWN)
    expect(examples.simulator.calls["executeCollection"]).toBe(1)
    const written = fs.readFileSync(examples.journal, "utf8")
    examples.letTwoMinutesPass()
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
    expect(examples.simulator.calls["executeCollection"]).toBe(2)
    expect(written).toContain(examples.simulator.book.executions()[0]?.reference)
  })

  it("charges once when it is killed before the request arrived, and run again", async () => {
    examples.simulator.faults.script("executeCollection", ["hang"])
    const killed = examples.startCollecting()
    await examples.called("executeCollection")
    killed.kill()
    expect((await killed.ended).code).toBeNull()
    expect(charges()).toEqual([])
    examples.letTwoMinutesPass()
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
  })

  it("charges once when it is killed while the payer decides, and run again", async () => {
    examples.simulator.plan({ outcome: "handset" })
    const killed = examples.startCollecting()
    await examples.called("getCollectionStatus")
    killed.kill()
    await killed.ended
    examples.simulator.handset.approve({ phone: PHONE })
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
    expect(examples.simulator.calls["executeCollection"]).toBe(1)
  })

  it("reuses an order whose creation was never confirmed", async () => {
    examples.simulator.faults.script("createCheckoutSource", ["reset:after"])
    expect((await examples.collect()).code).toBe(NOT_KNOWN)
    expect((await examples.collect()).code).toBe(DONE)
    expect(examples.simulator.book.documents()).toHaveLength(1)
    expect(charges()).toEqual([1])
  })

  it("goes on with the order that an earlier run had written down", async () => {
    examples.simulator.faults.script("createCheckoutSession", ["403"])
    expect((await examples.collect()).code).toBe(NOT_KNOWN)
    expect((await examples.collect()).code).toBe(DONE)
    expect(examples.simulator.book.documents()).toHaveLength(1)
    expect(charges()).toEqual([1])
  })

  it("charges once when it is started twice at once", async () => {
    const ends = await Promise.all([examples.collect(), examples.collect()])
    expect(ends.map(({ code }) => code)).toEqual([DONE, DONE])
    expect(charges()).toEqual([1])
  })

  it("publishes an order that is not payable yet", async () => {
    await examples.replay({ newSourceStatus: "IDLE" })
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
  })

  it("ends with 1 when the payer declines, and never asks the payer again", async () => {
    examples.simulator.plan({ outcome: "decline" })
    expect((await examples.collect()).code).toBe(NOT_DONE)
    examples.simulator.plan({ outcome: "approve" })
    expect((await examples.collect()).code).toBe(NOT_DONE)
    expect(examples.simulator.calls["executeCollection"]).toBe(1)
    expect(charges()).toEqual([0])
  })

  it("ends with 1 when the execution is refused, and never sends it again", async () => {
    examples.simulator.faults.script("executeCollection", ["422"])
    expect((await examples.collect()).code).toBe(NOT_DONE)
    examples.letTwoMinutesPass()
    expect((await examples.collect()).code).toBe(NOT_DONE)
    expect(examples.simulator.calls["executeCollection"]).toBe(1)
  })

  it("gives up for good when no operator serves the phone number", async () => {
    const strange = () =>
      examples.start("collect", [examples.journal, "4915112345678", AMOUNT, "USD"]).ended
    expect((await strange()).code).toBe(NOT_DONE)
    expect((await strange()).code).toBe(NOT_DONE)
    expect(examples.simulator.calls["predictMmoProviderInfo"]).toBe(1)
    expect(examples.simulator.calls["executeCollection"]).toBeUndefined()
    expect(examples.simulator.calls["getCollectionStatus"]).toBeUndefined()
  })

  it("ends with 2 when the payer does not answer in time", async () => {
    examples.simulator.plan({ outcome: "never" })
    expect((await examples.collect(IMPATIENT)).code).toBe(NOT_KNOWN)
    expect((await examples.collect(IMPATIENT)).code).toBe(NOT_KNOWN)
    expect(examples.simulator.calls["executeCollection"]).toBe(1)
  })

  it("does not call a payment paid that shows another amount", async () => {
    examples.simulator.clearPlans()
    const overstated = "231770000009"
    const { code } = await examples.start("collect", [examples.journal, overstated, AMOUNT, "USD"])
      .ended
    expect(code).toBe(NOT_KNOWN)
    expect(charges()).toEqual([1])
  })

  it("ends with 2 when the credentials or the gateway fail, and goes on when they work", async () => {
    const wrong = await examples.collect({ MERCHANT_PAYMENTS_CLIENT_SECRET: "wrong" })
    expect(wrong.code).toBe(NOT_KNOWN)
    await examples.simulator.connections.refuse()
    expect((await examples.collect()).code).toBe(NOT_KNOWN)
    await examples.simulator.connections.accept()
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
  })

  it.each([
    ["another amount", [PHONE, "43.00", "USD"]],
    ["another phone, in another currency", ["231770000011", AMOUNT, "LRD"]],
  ])("refuses a journal that is of %s", async (_, args) => {
    await examples.collect()
    expect((await examples.start("collect", [examples.journal, ...args]).ended).code).toBe(
      WRONG_USE,
    )
    expect(charges()).toEqual([1])
  })

  it.each(isWhole ? ["42.5", "42.505", "0", "-1.00", "1e3", "42,50"] : ["42.505", "0"])(
    "refuses the amount %s before it writes anything",
    async (amount) => {
      const { code } = await examples.start("collect", [examples.journal, PHONE, amount, "USD"])
        .ended
      expect(code).toBe(WRONG_USE)
      expect(fs.existsSync(examples.journal)).toBe(false)
    },
  )

  it("does not begin anew when its journal is damaged", async () => {
    await examples.collect()
    const [, ...rest] = fs.readFileSync(examples.journal, "utf8").trim().split("\n")
    fs.writeFileSync(examples.journal, rest.join("\n"))
    expect((await examples.collect()).code).toBe(NOT_KNOWN)
    expect(charges()).toEqual([1])
  })

  it("skips a line that a crash cut short", async () => {
    fs.writeFileSync(examples.journal, '\n{"step":"payment","referen')
    expect((await examples.collect()).code).toBe(DONE)
    expect((await examples.collect()).code).toBe(DONE)
    expect(charges()).toEqual([1])
  })
})
