/**
 * What a program pays that has the gateway client in it: a fresh process that loads the built package's
 * entry and ends, nothing taken off. The files are in the machine's cache, Node's compiled code is not
 * kept. Beside it: the same process without the client, and one that goes on to a first answer.
 */
import { execFileSync } from "node:child_process"
import { plainEnvironment } from "../../demo/run/child.cjs"
import type { Benchmark, Figure } from "../figure"
import { withFixedGateway, type ClientGround } from "../support/client-ground"
import { REFERENCE } from "../support/one-answer"
import { median } from "../support/statistics"

const LIMIT_MS = 120
const ROUNDS = 15
const ENTRY = "medusa-plugin-merchant-payments/gateway"

const REQUIRE = `require("${ENTRY}")`
const TIMED = `const since = performance.now(); ${REQUIRE}; console.log(performance.now() - since)`
const LISTED = `${REQUIRE}; console.log(Object.keys(require.cache).join("\\n"))`

export const gatewayImport: Benchmark = {
  name: "gateway_import_ms",
  on: "client",
  run: measure,
}

async function measure({ root }: ClientGround): Promise<Figure> {
  return withFixedGateway(async ({ url }) => {
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, args, {
        cwd: root,
        env: plainEnvironment(process.env),
        encoding: "utf8",
      })
    const wholeMs = (...args: readonly string[]) => {
      const since = performance.now()
      run(...args)
      return performance.now() - since
    }
    const round = () => ({
      baselineMs: wholeMs("-e", "0"),
      requireMs: wholeMs("-e", REQUIRE),
      importMs: wholeMs("--input-type=module", "-e", `import "${ENTRY}"`),
      inProcessMs: Number(run("-e", TIMED)),
      firstAnswerMs: wholeMs("-e", firstAnswer(url)),
    })
    // Not counted: files may still have to come from the disk.
    round()
    const rounds = Array.from({ length: ROUNDS }, round)
    const modules = run("-e", LISTED).trim().split("\n")
    return {
      value: median(rounds.map(({ requireMs }) => requireMs)),
      unit: "ms",
      better: "lower",
      against: "nothing: it is a whole process; baseline_ms is one that loads nothing",
      limit: LIMIT_MS,
      samples: ROUNDS,
      baseline_ms: median(rounds.map(({ baselineMs }) => baselineMs)),
      esm_ms: median(rounds.map(({ importMs }) => importMs)),
      esm_ms_limit: LIMIT_MS,
      in_process_ms: median(rounds.map(({ inProcessMs }) => inProcessMs)),
      first_answer_ms: median(rounds.map(({ firstAnswerMs }) => firstAnswerMs)),
      modules: modules.length,
      medusa_modules: modules.filter((file) => file.includes("@medusajs")).length,
      medusa_modules_limit: 0,
    }
  })
}

/** A program that ends with a failure unless it gets an answer. */
function firstAnswer(url: string): string {
  const options = { baseUrl: url, clientId: "bench", clientSecret: "bench" }
  return `
    const gateway = ${REQUIRE}.createGateway(${JSON.stringify(options)})
    gateway.status.collection("${REFERENCE}").then(async ({ kind }) => {
      await gateway.close()
      if (kind !== "done") process.exitCode = 1
    })`
}
