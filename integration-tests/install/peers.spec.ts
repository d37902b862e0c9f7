import { peersIn } from "./peers"

const PNPM = `
 WARN  Issues with peer dependencies found
.
├─┬ @medusajs/cli 2.21.2
│ └─┬ @medusajs/deps 2.21.2
│   ├─┬ @opentelemetry/resources 2.12.1
│   │ └── ✕ unmet peer @opentelemetry/api@"<1.10.0": found 1.10.0
└─┬ medusa-plugin-merchant-payments 0.1.0
  └── ✕ unmet peer react@^18.3.1: found 19.0.0
`

describe("what is said about peers", () => {
  it("is ours where pnpm's tree begins at one of our packages", () => {
    expect(peersIn(PNPM)).toEqual({
      lines: [
        "WARN  Issues with peer dependencies found",
        expect.stringMatching(/^@medusajs\/cli 2.21.2 > .* > @opentelemetry\/resources 2.12.1: /),
        "medusa-plugin-merchant-payments 0.1.0: unmet peer react@^18.3.1: found 19.0.0",
      ],
      ours: ["medusa-plugin-merchant-payments 0.1.0: unmet peer react@^18.3.1: found 19.0.0"],
    })
  })

  it("is ours where Yarn names one of our packages, and Medusa's own where it names another", () => {
    const yarn = (name: string) => `warning " > ${name}" has unmet peer dependency "react@^18.3.1".`
    const told = peersIn(`${yarn("@medusajs/draft-order@2.21.2")}\n${yarn("merchant-payments@1")}`)
    expect(told.lines).toHaveLength(2)
    expect(told.ours).toEqual([yarn("merchant-payments@1")])
  })

  it("is ours where it is new, because Yarn 4 does not name who asks beside another", () => {
    const line = "YN0002: store doesn't provide icons (p4c6297), requested by others."
    const code = line.replace("p4c6297", "p1cec00")
    expect(peersIn(line, peersIn(code).lines).ours).toEqual([])
    expect(peersIn(line, []).ours).toHaveLength(1)
  })

  it("is Medusa's own where pnpm now names another way to the same package", () => {
    const line = (by: string) =>
      `│ └─┬ ${by}\n│   └─┬ core 2.9.0\n│     └── ✕ unmet peer api@1: found 2`
    const before = peersIn(line("sdk-node 0.220.0")).lines
    expect(peersIn(line("configuration 0.220.0"), before).ours).toEqual([])
    expect(peersIn(line("merchant-payments-gateway 0.1.0"), before).ours).toHaveLength(1)
  })

  it("is nothing where nothing is said", () => {
    expect(peersIn("added 8 packages in 40s\n")).toEqual({ lines: [], ours: [] })
  })
})
