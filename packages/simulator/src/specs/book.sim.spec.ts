import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import {
  collectionStatus,
  phoneEnding,
  readyToExecute,
  sourceStatus,
  startBench,
  type Bench,
} from "../testing/client"

const folder = mkdtempSync(join(tmpdir(), "simulator-book-"))
afterAll(() => rmSync(folder, { recursive: true }))

const opened: Bench[] = []
const started = async (...args: Parameters<typeof startBench>) => {
  const bench = await startBench(...args)
  opened.push(bench)
  return bench
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((bench) => bench.close()))
})

test("a simulator that is started again knows its payments and goes on numbering", async () => {
  const bookFile = join(folder, "new", "book.json")
  const first = await started({ bookFile })
  const { source, execution } = await readyToExecute(first, phoneEnding("03"))
  await first.call("POST", "/v1/executions/collection", execution)
  await first.close()
  opened.length = 0

  const second = await started({ bookFile })
  expect(await collectionStatus(second, execution)).toMatchObject({ status: "PROCESSING" })
  second.simulator.handset.approve(phoneEnding("03"))
  expect(await sourceStatus(second, source)).toMatchObject({ status: "PAID" })
  const next = await readyToExecute(second, phoneEnding("03"))
  expect(next.source["source_id"]).not.toBe(source["source_id"])
  expect(next.source["url"]).not.toBe(source["url"])
  expect(next.source["party_id"]).toBe(source["party_id"])
})

test("the book is saved shortly after a change, by rename", async () => {
  const bookFile = join(folder, "soon.json")
  const bench = await started({ bookFile })
  await readyToExecute(bench, phoneEnding("03"))
  await until(() => existsSync(bookFile))
  expect(readdirSync(folder).filter((name) => name.startsWith("soon"))).toEqual(["soon.json"])
})

test("a file that is no book is refused and left alone", async () => {
  const bookFile = join(folder, "foreign.json")
  writeFileSync(bookFile, '{"name":"package"}')
  await expect(startBench({ bookFile })).rejects.toThrow(
    "is no book of this version of the simulator",
  )
})

/** The answers to a fixed series of calls. */
const transcript = async (seed: string) => {
  const bench = await started({ seed, publicUrl: "http://gateway.test" })
  const token = await bench.call(
    "POST",
    "/v1/jwt/client/obtain/token",
    { client_id: "simulator-client", client_secret: "simulator-secret" },
    {},
  )
  const { source, execution } = await readyToExecute(bench, phoneEnding("00"), {}, REFERENCE)
  const answer = await bench.call("POST", "/v1/executions/collection", execution)
  bench.clock.advance(3_000)
  const hosted = await readyToExecute(bench, phoneEnding("03"), {}, REFERENCE)
  bench.simulator.hosted.pay(Number(hosted.source["source_id"]), { method: "card" })
  const book = bench.simulator.book.toJSON()
  return { token, source, answer, status: await collectionStatus(bench, execution), book }
}
const REFERENCE = "550e8400-e29b-41d4-a716-446655440000"

test("the same seed gives the same transcript, another seed another one", async () => {
  const first = await transcript("7")
  expect(await transcript("7")).toEqual(first)
  const other = await transcript("8")
  expect(other.source["url"]).not.toBe(first.source["url"])
  expect(other.token).not.toEqual(first.token)
})

/** A bound, not an expectation: a busy machine is slow. */
const STUCK_AFTER_MS = 120_000

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + STUCK_AFTER_MS
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("It did not come true.")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
