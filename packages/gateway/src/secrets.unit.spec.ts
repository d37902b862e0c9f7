/** [S04] Secrets of a request or an answer are in no error, report or log line. */
import { inspect } from "node:util"
import { bench, closeBenches } from "../../../integration-tests/gateway/bench"
import { callOf } from "../../../integration-tests/gateway/calls"
import type { CallCase } from "../../../integration-tests/gateway/calls"
import { EXECUTION, PASSCODE } from "../../../integration-tests/gateway/calls/executions"
import { CARD_TOKEN } from "../../../integration-tests/gateway/calls/predictions"
import {
  cutWithoutLength,
  html,
  json,
  raw,
  reset,
  token,
} from "../../../integration-tests/gateway/scripted-server"
import type { Answer } from "../../../integration-tests/gateway/scripted-server"

afterEach(closeBenches)

/** Everything that a caller can print of one failed call. */
async function shownBy(call: CallCase, answer: Answer): Promise<string> {
  const lines: unknown[] = []
  const log = (...said: unknown[]) => void lines.push(...said)
  const { server, gateway } = await bench(
    { answers: [answer] },
    { logger: { info: log, warn: log, error: log, debug: log }, onCall: log },
  )
  const outcome = await call.run(gateway)
  expect(outcome.kind).not.toBe("done")
  expect(server.calls.length).toBeGreaterThan(0)
  const error = outcome.kind === "done" ? undefined : outcome.error
  return [
    JSON.stringify({ outcome, lines }),
    inspect({ outcome, lines }, { depth: 8 }),
    String(error),
    error?.stack,
    inspect(error?.cause, { depth: 8 }),
  ].join("\n")
}

const repeats = (secret: string): readonly (readonly [string, Answer])[] => [
  [
    "as a field",
    json(422, {
      detail: [{ loc: ["body", secret], msg: `${secret} is wrong`, type: secret, input: secret }],
    }),
  ],
  ["as text", json(422, { detail: `wrong: ${secret}, GET /?x=${encodeURIComponent(secret)}` })],
  ["in a 403", json(403, { detail: secret })],
  ["in a 404", json(404, { detail: secret })],
  ["in a 429", json(429, { detail: secret }, { "retry-after": secret.replace(/\W/g, "") })],
  ["in a 500", json(500, { detail: secret })],
  ["in an answer of the wrong shape", json(200, { reference_id: secret, status: secret })],
  ["in half an answer", cutWithoutLength({ detail: secret })],
  ["in a redirect", raw(307, "", { location: `/?x=${encodeURIComponent(secret)}` })],
]

const SECRETS = [
  ["the passcode of a payout", callOf("executions.payout"), PASSCODE],
  ["the token of a card", callOf("predictions.cardProviderInfo"), CARD_TOKEN],
] as const

describe.each(SECRETS)("%s", (_, call, secret) => {
  it.each(repeats(secret))("is masked when the gateway repeats it %s", async (_, answer) => {
    const shown = await shownBy(call, answer)
    expect(shown).not.toContain("CANARY")
  })

  it.each([
    ["a reset", reset],
    ["a web page", html],
  ])("is in no error after %s", async (_, answer) => {
    expect(await shownBy(call, answer)).not.toContain("CANARY")
  })

  it("is sent", async () => {
    const { server, gateway } = await bench({ answers: [json(200, call.body)] })
    expect((await call.run(gateway)).kind).toBe("done")
    const [sent] = server.calls
    expect(`${sent?.body}${decodeURIComponent(sent?.path ?? "")}`).toContain(secret)
  })
})

it("what else the gateway says about a refused passcode stays readable", async () => {
  const said = { loc: ["body", "passcode", "token", "code"], msg: `wrong code ${PASSCODE}` }
  const { gateway } = await bench({ answers: [json(422, { detail: [said] })] })
  expect(await callOf("executions.payout").run(gateway)).toMatchObject({
    kind: "refused",
    error: { fields: [{ path: "passcode.token.code", message: "wrong code •••" }] },
  })
})

describe("the token of the call", () => {
  it.each(repeats("CANARY-token"))(
    "is masked when the gateway repeats it %s",
    async (_, answer) => {
      const { gateway } = await bench({ answers: [answer], tokens: [token("CANARY-token")] })
      const outcome = await callOf("executions.collection").run(gateway)
      expect(outcome.kind).not.toBe("done")
      expect(inspect(outcome, { depth: 8 }) + JSON.stringify(outcome)).not.toContain("CANARY")
    },
  )

  it("is masked under its replacement, too", async () => {
    const both = json(401, { detail: "neither CANARY-first nor CANARY-second" })
    const { gateway } = await bench({
      answers: [both],
      tokens: [token("CANARY-first"), token("CANARY-second")],
    })
    expect(await callOf("executions.collection").run(gateway)).toMatchObject({
      kind: "refused",
      error: { code: "GATEWAY_UNAUTHENTICATED", detail: "neither ••• nor •••" },
    })
  })
})

it("[S09] the sentence of an error is ours alone, whatever fields the gateway names", async () => {
  const answer = json(500, { detail: [{ loc: ["body", "FORGED: all is paid"], msg: "FORGED" }] })
  const { gateway } = await bench({ answers: [answer] })
  const outcome = await callOf("executions.collection").run(gateway)
  expect(outcome).toMatchObject({
    kind: "unknown",
    error: { fields: [{ path: "FORGED: all is paid" }] },
  })
  expect(outcome.kind === "unknown" && outcome.error.message).not.toContain("FORGED")
})

describe("the answer's own secrets", () => {
  it.each(["executions.collection", "status.collection"] as const)(
    "%s: the client secret is in no error",
    async (operation) => {
      const answer = { ...EXECUTION, client_secret: "pi_CANARY", requires_action: true }
      const wrong = json(200, { ...answer, status: null, operation_type: "PAYOUT" })
      expect(await shownBy(callOf(operation), wrong)).not.toContain("CANARY")
    },
  )

  it("the realtime token is in no error", async () => {
    const wrong = json(200, { access_token: "CANARY token", expires_in: "CANARY" })
    const shown = await shownBy(callOf("realtimeKeys.collection"), wrong)
    expect(shown).toContain("access_token")
    expect(shown).not.toContain("CANARY")
  })

  it.each(["token.obtain", "realtimeKeys.collection"] as const)(
    "%s: the bytes that HTTP could not read are in no error",
    async (operation) => {
      // A token in place of the length of the next chunk.
      const broken: Answer = (response) => {
        const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        response.socket?.end(`${head}{"access_token":"CANARY","expires_in":60}\r\n`)
      }
      const isToken = operation === "token.obtain"
      const { gateway } = await bench(isToken ? { tokens: [broken] } : { answers: [broken] })
      const outcome = await callOf("realtimeKeys.collection").run(gateway)
      const error = outcome.kind === "done" ? undefined : outcome.error
      expect(error).toMatchObject({ operation, reason: "connection_lost" })
      expect(inspect(error?.cause, { depth: 8, showHidden: true })).toContain("HTTPParserError")
      expect(inspect(error?.cause, { depth: 8, showHidden: true })).not.toContain("CANARY")
    },
  )

  it("the realtime token is in no report of a call that succeeded", async () => {
    const reports: unknown[] = []
    const call = callOf("realtimeKeys.collection")
    const { gateway } = await bench(
      { answers: [json(200, call.body)] },
      { onCall: (report) => reports.push(report) },
    )
    const outcome = await call.run(gateway)
    expect(outcome).toMatchObject({ kind: "done", value: { accessToken: "CANARY-realtime-token" } })
    expect(inspect({ outcome, reports }, { depth: 8 })).not.toContain("CANARY")
    expect(JSON.stringify({ outcome, reports })).not.toContain("CANARY")
  })
})
