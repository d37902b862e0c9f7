import { runMedusa, type MedusaRun } from "./run-medusa"

let run: MedusaRun
beforeAll(async () => {
  run = await runMedusa({
    seed: 1,
    isShort: process.env["LONG"] !== "1",
    onVerdict: ({ verdict: { name, violations, ending } }) => {
      if (violations.length) process.stderr.write(`BROKEN ${name}: ${violations.join("; ")} | ${ending}\n`)
    },
  })
}, 900_000)
it("x", () => {
  process.stderr.write(`${run.verdicts.length} verdicts; calls ${[...run.calls].join(" ")}\n`)
  process.stderr.write(run.verdicts.filter((v) => v.fault && !v.hasStruck).map((v) => "not struck: " + v.verdict.name).join("\n") + "\n")
  process.stderr.write(run.verdicts.filter((v) => !v.fault).map((v) => v.verdict.name + " | " + v.verdict.ending).join("\n") + "\n")
})
