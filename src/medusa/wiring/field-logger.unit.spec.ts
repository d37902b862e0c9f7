import { correlated } from "../../telemetry/correlation"
import { fieldLogger, type StoreLogger } from "./field-logger"

const calls: unknown[][] = []
const note =
  (name: string) =>
  (...given: unknown[]) =>
    void calls.push([name, ...given])
const plain = (): StoreLogger => ({
  debug: note("debug"),
  info: note("info"),
  warn: note("warn"),
  error: note("error"),
  log: note("log"),
})
const FIELDS = { operation: "mpop_1", event: "paid" }

beforeEach(() => void calls.splice(0))

it("Medusa's logger gets one object, so that no sign in the sentence is replaced", () => {
  fieldLogger(plain(), true).error("100%s sure", FIELDS)
  expect(calls).toEqual([["log", "error", { message: "100%s sure", ...FIELDS }]])
})

it("a logger with `child` gets the fields by it", () => {
  const child = (fields: object) => {
    calls.push(["child", fields])
    return plain()
  }
  fieldLogger(Object.assign(plain(), { child })).warn("late", FIELDS)
  expect(calls).toEqual([
    ["child", FIELDS],
    ["warn", "late"],
  ])
})

it("any other logger gets the fields behind the sentence", () => {
  fieldLogger(plain()).info("paid", FIELDS)
  expect(calls).toEqual([["info", "paid [operation=mpop_1 event=paid]"]])
})

it("a line without fields is the sentence alone", () => {
  fieldLogger(plain()).info("booted")
  expect(calls).toEqual([["info", "booted"]])
})

it("a line of work under way carries what the work is about", async () => {
  const logger = fieldLogger(plain(), true)
  const traceParent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
  await correlated(
    { operation: "mpop_2" },
    () => Promise.resolve(logger.warn("odd", { event: "odd_answer" })),
    traceParent,
  )
  const fields = { operation: "mpop_2", event: "odd_answer", correlation: "a".repeat(32) }
  expect(calls).toEqual([["log", "warn", { message: "odd", ...fields }]])
})
