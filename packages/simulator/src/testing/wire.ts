/** Calls whose answers are read as they stand on the wire, for tests of its habits. */
import type { Habit, Simulator, SimulatorOptions } from "../index"
import { credentialsOf, startBench, type Bench, type Json } from "./client"

/** An answer as it came, and its JSON. */
export type RawAnswer = {
  status: number
  contentType: string
  text: string
  json: Json
}

export type WireBench = {
  simulator: Simulator
  bench: Bench
  raw(method: string, path: string, body?: unknown): Promise<RawAnswer>
}

/** Reads JSON as a patient reader would: without mark and blank lines. */
const jsonIn = (text: string): Json => JSON.parse(text.replace(/^\uFEFF/, "").trim()) as Json

/** A bench whose token is read from whatever the temper makes of it. */
export async function startWireBench(
  habits: readonly Habit[],
  options: SimulatorOptions = {},
): Promise<WireBench> {
  const bench = await startBench({ ...options, habits }, jsonIn)
  const { url } = bench.simulator
  const token = await fetch(`${url}/v1/jwt/client/obtain/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentialsOf(options)),
  })
  const bearer = String(jsonIn(await token.text())["access_token"])
  const raw = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // `text()` would take the mark away.
    const text = Buffer.from(await answer.arrayBuffer()).toString("utf8")
    const contentType = answer.headers.get("content-type") ?? ""
    return { status: answer.status, contentType, text, json: jsonIn(text) }
  }
  return { simulator: bench.simulator, bench, raw }
}
