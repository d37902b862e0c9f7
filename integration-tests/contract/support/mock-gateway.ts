/**
 * A mock server made from the contract by somebody else's code: it refuses each request that the
 * contract does not allow, and answers with the contract's own examples, completed by those of the
 * caller.
 */
import { spawn } from "node:child_process"
import fs from "node:fs"
import { createServer } from "node:net"
import os from "node:os"
import path from "node:path"
import { portOf } from "../../gateway/scripted-server"
import { contractText } from "./contract"

const COMMAND = require.resolve("@stoplight/prism-cli/dist/index.js")
const KEEPS_LINES = path.join(__dirname, "keep-lines.cjs")
const STARTS_WITHIN_MS = 60_000

export type MockGateway = { readonly baseUrl: string; close(): Promise<void> }

/** @param examples by method and path, as `GET /v1/parties/list` */
export async function startMockGateway(
  examples: ReadonlyMap<string, unknown>,
): Promise<MockGateway> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "merchant-payments-mock-"))
  const file = path.join(folder, "openapi.json")
  fs.writeFileSync(file, JSON.stringify(withExamples(examples)))
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [
      ...["--require", KEEPS_LINES, COMMAND, "mock", "--errors"],
      ...["--port", String(port), "--host", "127.0.0.1", file],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  )
  let output = ""
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes("Prism is listening")) resolve()
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    child.once("exit", () => reject(new Error(`The mock server ended: ${output}`)))
    setTimeout(() => reject(new Error(`No mock server: ${output}`)), STARTS_WITHIN_MS).unref()
  })
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => {
          fs.rmSync(folder, { recursive: true })
          resolve()
        })
        child.kill("SIGTERM")
      }),
  }
}

type Json = Record<string, unknown>
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null

function withExamples(examples: ReadonlyMap<string, unknown>): unknown {
  const contract: unknown = JSON.parse(contractText())
  for (const [place, example] of examples) {
    const [method = "", url = ""] = place.split(" ")
    const keys = ["paths", url, method.toLowerCase(), "responses", "200", "content"]
    const content = [...keys, "application/json"].reduce<unknown>(
      (node, key) => (isJson(node) ? node[key] : undefined),
      contract,
    )
    if (!isJson(content)) throw new Error(`The contract has no ${place}`)
    delete content["examples"]
    content["example"] = example
  }
  return contract
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
