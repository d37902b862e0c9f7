import {
  checkoutRequest,
  phoneEnding,
  readyToExecute,
  startBench,
  type Bench,
} from "../testing/client"

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.close())

const open = async (path: string) => {
  const response = await fetch(`${bench.simulator.url}${path}`)
  return { status: response.status, text: await response.text() }
}
const post = async (path: string, fields: Record<string, string> = {}) => {
  const body = new URLSearchParams(fields)
  const init = { method: "POST", body, redirect: "manual" } as const
  const response = await fetch(`${bench.simulator.url}${path}`, init)
  return {
    status: response.status,
    location: response.headers.get("location"),
    text: await response.text(),
  }
}
const fragment = async () => (await open("/book?fragment=1")).text
const TYPED = {
  operation: "executeCollection",
  kind: "500",
  argument: "",
  moment: "usual",
  times: "1",
}

test("the front page leads to the book", async () => {
  expect((await open("/")).text).toContain('href="/book"')
})

test("an empty book says so in each of its lists", async () => {
  const { status, text } = await open("/book")
  expect(status).toBe(200)
  expect(text).toContain("There is no source yet.")
  expect(text).toContain("Nothing was executed yet.")
})

test("sources, money, sessions, wallets and calls are shown as the book has them now", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("42"))
  await bench.call("POST", "/v1/executions/collection", execution)
  const before = await fragment()
  expect(before).toContain(String(source["source_number"]))
  expect(before).toContain(`data-reference="${String(execution["reference_id"])}"`)
  expect(before).toContain('<span class="tag PROCESSING">processing</span>')
  expect(before).toContain('<span class="tag EXECUTED">executed</span>')
  expect(before).toMatch(
    /data-testid="calls-executeCollection">\s*<span>executeCollection<\/span><b>1</,
  )
  expect(before).toContain('data-testid="wallet"')
  bench.simulator.handset.approve(phoneEnding("42"))
  expect(await fragment()).toContain('<span class="tag PAID">paid</span>')
})

test("a source that was charged twice is marked", async () => {
  const { source, execution } = await readyToExecute(bench, phoneEnding("42"))
  const { source_id, source_type } = source
  const second = await bench.call("POST", "/v1/sessions/checkout", { source_id, source_type })
  await bench.call("POST", "/v1/executions/collection", execution)
  await bench.call("POST", "/v1/executions/collection", {
    ...execution,
    session_id: String(second.body["id"]),
    reference_id: crypto.randomUUID(),
  })
  bench.simulator.handset.approve(phoneEnding("42"))
  expect(await fragment()).not.toContain("overcharged")
  bench.simulator.handset.approve(phoneEnding("42"))
  expect(await fragment()).toMatch(/data-testid="overcharged">\s*Charged 2 times/)
})

test("what the merchant wrote is text on the page", async () => {
  const reference_id = "<img src=x onerror=alert(1)>"
  await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ reference_id }))
  expect(await fragment()).not.toContain("<img")
  expect(await fragment()).toContain("&lt;img")
})

test("a fault is scripted with the form, shown, and shown again when it struck", async () => {
  const wanted = { ...TYPED, kind: "429", argument: " date ", moment: "after", times: "2" }
  expect(await post("/book/faults", wanted)).toMatchObject({
    status: 303,
    location: "/book?forms=open",
  })
  expect(bench.simulator.faults.scripted()).toEqual([
    { operation: "executeCollection", call: 1, fault: "429:date:after" },
    { operation: "executeCollection", call: 2, fault: "429:date:after" },
  ])
  expect((await fragment()).match(/data-testid="scripted-fault"/g)).toHaveLength(2)
  const { execution } = await readyToExecute(bench, phoneEnding("00"))
  await bench.call("POST", "/v1/executions/collection", execution)
  const text = await fragment()
  expect(text.match(/data-testid="scripted-fault"/g)).toHaveLength(1)
  expect(text.match(/data-testid="struck-fault"/g)).toHaveLength(1)
})

test("the forms are folded until somebody works with them", async () => {
  const folded = /<details\s+data-testid="fault-forms"/
  expect((await open("/book")).text).toMatch(folded)
  expect((await open("/book?forms=open")).text).not.toMatch(folded)
  expect((await post("/book/faults", { ...TYPED, kind: "501" })).text).not.toMatch(folded)
})

test("the moment may be left to the kind", async () => {
  await post("/book/faults", { ...TYPED, kind: "cut" })
  expect(bench.simulator.faults.scripted()).toMatchObject([{ fault: "cut:after" }])
})

test.each([
  [{ kind: "501" }, "501 is not a fault."],
  [{ kind: "ok" }, "ok is not a fault."],
  [{ kind: "500", argument: "5" }, "500:5 is not a fault."],
  [{ operation: "listNothing" }, "There is no operation listNothing."],
  [{ times: "0" }, "Times is from 1 to 100."],
  [{ times: "101" }, "Times is from 1 to 100."],
  [{ times: "" }, "Times is from 1 to 100."],
])("%p is refused on the page, which keeps what was typed", async (change, sentence) => {
  const { status, text } = await post("/book/faults", { ...TYPED, argument: "", ...change })
  expect(status).toBe(422)
  expect(text).toContain(sentence)
  expect(text).toContain(`value="${"times" in change ? change.times : "1"}"`)
  expect(bench.simulator.faults.scripted()).toEqual([])
})

test("chance is started and ended with the form", async () => {
  await post("/book/random-faults", { rate: "0.5", seed: "x" })
  expect(bench.simulator.faults.randomized()).toEqual({ rate: 0.5, seed: "x" })
  expect(await fragment()).toContain("By chance: 50% of the calls, seed x")
  await post("/book/random-faults", { rate: "0", seed: "x" })
  expect(bench.simulator.faults.randomized()).toBeNull()
})

test.each(["2", "often", "", "-1"])("a share of %p is refused on the page", async (rate) => {
  const { status, text } = await post("/book/random-faults", { rate, seed: "x" })
  expect([status, text.includes("is no rate from 0 to 1")]).toEqual([422, true])
})

test("all faults end with one button", async () => {
  await post("/book/faults", TYPED)
  await post("/book/random-faults", { rate: "1", seed: "x" })
  expect(await post("/book/clear-faults")).toMatchObject({
    status: 303,
    location: "/book?forms=open",
  })
  expect(await fragment()).toContain("No fault is scripted.")
})

test("every field of the page has a label", async () => {
  const { text } = await open("/book")
  const fields = [...text.matchAll(/<(?:input|select)\b[^>]*\bid="([^"]+)"/g)].map(([, id]) => id)
  expect(fields).toEqual(["operation", "kind", "argument", "moment", "times", "rate", "seed"])
  for (const id of fields) expect(text).toContain(`<label for="${id}">`)
})

test("the newest 25 are shown, and how many there are in all", async () => {
  for (let count = 0; count < 30; count += 1) {
    await bench.call(
      "POST",
      "/v1/checkouts/create",
      checkoutRequest({ reference_id: `c${count}.` }),
    )
  }
  const text = await fragment()
  expect(text).toContain("Sources (30)")
  expect(text.match(/data-testid="source"/g)).toHaveLength(25)
  expect(text.indexOf("c29.")).toBeGreaterThan(0)
  expect(text).not.toContain("c4.")
})
