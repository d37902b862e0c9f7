/**
 * What a program pays that has the gateway client in it: the first import of the built package's
 * entry in a fresh process. The files are in the machine's cache, Node's compiled code is not kept.
 * Beside it: the whole process that does nothing else, one that loads nothing, and one that goes on
 * to a first answer.
 */
import { execFileSync } from "node:child_process"
import { plainEnvironment } from "../../demo/run/child.cjs"
import type { Benchmark, Figure } from "../figure"
import { withFixedGateway, type ClientFixture } from "../support/client-fixture"
import { REFERENCE } from "../support/one-answer"
import { median } from "../support/statistics"

const LIMIT_MS = 120
const ROUNDS = 15
const ENTRY = "merchant-payments-gateway"

const REQUIRE = `require("${ENTRY}")`
const TIMED = `const since = performance.now(); ${REQUIRE}; console.log(performance.now() - since)`
const TIMED_ESM = `const since = performance.now(); await import("${ENTRY}"); console.log(performance.now() - since)`
const LISTED = `${REQUIRE}; console.log(Object.keys(require.cache).join("\\n"))`

export const gatewayImport: Benchmark = {
  name: "gateway_import_ms",
  on: "client",
  run: measure,
}

async function measure({ root }: ClientFixture): Promise<Figure> {
  return withFixedGateway(async ({ url }) => {
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, args, {
        cwd: root,
        env: { ...plainEnvironment(process.env), NODE_ENV: "test" },
        encoding: "utf8",
      })
    const wholeMs = (...args: readonly string[]) => {
      const since = performance.now()
      run(...args)
      return performance.now() - since
    }
    const round = () => ({
      requireMs: Number(run("-e", TIMED)),
      importMs: Number(run("--input-type=module", "-e", TIMED_ESM)),
      processMs: wholeMs("-e", REQUIRE),
      emptyProcessMs: wholeMs("-e", "0"),
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
      against: "nothing; process_ms is a whole process, empty_process_ms one that loads nothing",
      limit: LIMIT_MS,
      samples: ROUNDS,
      esm_ms: median(rounds.map(({ importMs }) => importMs)),
      esm_ms_limit: LIMIT_MS,
      process_ms: median(rounds.map(({ processMs }) => processMs)),
      empty_process_ms: median(rounds.map(({ emptyProcessMs }) => emptyProcessMs)),
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
