import { checkoutRequest, MINUTE_MS, phoneEnding, startBench, type Bench } from "../testing/client"
import { callsAs, newCounterparty, newParty, OTHER } from "../testing/documents"

let bench: Bench
let theirs: Bench["call"]
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER] })
  theirs = await callsAs(bench, OTHER)
})
afterEach(() => bench.close())

const ids = (list: unknown) =>
  Array.isArray(list) ? list.map((one: Record<string, unknown>) => one["id"]) : null
const listed = async (path: string, call = bench.call) => ids((await call("GET", path)).body)

test("a party is kept as it was sent", async () => {
  const party = await newParty(bench.call, { email: "ada@example.com", country_code: "LR" })
  expect(party).toMatchObject({
    fullname: "Ada Weah",
    phone: phoneEnding("00"),
    email: "ada@example.com",
    country_code: "LR",
    created_at: "2026-01-01T00:00:00.000Z",
  })
  const { body } = await bench.call("GET", `/v1/parties/retrieve/${String(party["id"])}`)
  expect(body).toEqual(party)
})

test("a party that is created again is another one", async () => {
  const [first, second] = [await newParty(bench.call), await newParty(bench.call)]
  expect(second["id"]).not.toBe(first["id"])
  const { body } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  expect(body["party_id"]).toBe(first["id"])
})

test("parties are listed by a part of the name, in upper or lower case", async () => {
  const ada = await newParty(bench.call)
  const ben = await newParty(bench.call, { fullname: "Ben Kollie" })
  expect(await listed("/v1/parties/list")).toEqual([ada["id"], ben["id"]])
  expect(await listed("/v1/parties/list?fullname=KOLL")).toEqual([ben["id"]])
  expect(await listed("/v1/parties/list?fullname=zoe")).toEqual([])
})

test.each([
  ["no name", { fullname: undefined }, "fullname"],
  ["no phone", { phone: undefined }, "phone"],
  ["a phone with a plus", { phone: "+231770000001" }, "phone"],
  ["a phone that is too short", { phone: "2317700" }, "phone"],
  ["a phone that is too long", { phone: "2317700000012345" }, "phone"],
  ["a phone that starts with 0", { phone: "0231770000" }, "phone"],
  ["a three-letter country", { country_code: "LBR" }, "country_code"],
])("a party with %s is refused", async (_, change, field) => {
  const party = { fullname: "Ada", phone: phoneEnding("00"), ...change }
  const { status, body } = await bench.call("POST", "/v1/parties/create", party)
  expect(status).toBe(422)
  expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", field] })])
  expect(await listed("/v1/parties/list")).toEqual([])
})

test("a counterparty is read with its party", async () => {
  const counterparty = await newCounterparty(bench.call)
  expect(counterparty).toMatchObject({ relationship_type: "CUSTOMER", owner_party_id: 1 })
  const path = `/v1/counterparties/retrieve/${String(counterparty["id"])}`
  expect((await bench.call("GET", path)).body).toMatchObject({
    id: counterparty["id"],
    owner_party_type: "ORGANIZATION",
    party: { id: counterparty["party_id"], fullname: "Ada Weah" },
  })
})

test("a counterparty is changed in what is sent, and in nothing else", async () => {
  const counterparty = await newCounterparty(bench.call)
  const { id: party_id } = await newParty(bench.call, { fullname: "Ben Kollie" })
  const path = `/v1/counterparties/update/${String(counterparty["id"])}`
  bench.clock.advance(MINUTE_MS)
  const relinked = await bench.call("PUT", path, { party_id, relationship_type: null })
  expect(relinked.body).toMatchObject({
    party_id,
    relationship_type: "CUSTOMER",
    created_at: counterparty["created_at"],
    updated_at: "2026-01-01T00:01:00.000Z",
  })
  const renamed = await bench.call("PUT", path, { relationship_type: "PARTNER" })
  expect(renamed.body).toMatchObject({ party_id, relationship_type: "PARTNER" })
})

test("a counterparty that is linked to another party is matched for that one only", async () => {
  const { body: first } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  const { id: party_id } = await newParty(bench.call, { phone: phoneEnding("42") })
  const path = `/v1/counterparties/update/${String(first["counterparty_id"])}`
  await bench.call("PUT", path, { party_id })
  const { body: again } = await bench.call("POST", "/v1/checkouts/create", checkoutRequest())
  expect(again["counterparty_id"]).not.toBe(first["counterparty_id"])
  const moved = checkoutRequest({ party_phone: phoneEnding("42") })
  const { body: other } = await bench.call("POST", "/v1/checkouts/create", moved)
  expect(other["counterparty_id"]).toBe(first["counterparty_id"])
})

test("counterparties are listed by name and relationship", async () => {
  const customer = await newCounterparty(bench.call)
  const loose = await bench.call("POST", "/v1/counterparties/create", {
    relationship_type: "SUPPLIER",
  })
  const path = "/v1/counterparties/list"
  expect(await listed(path)).toEqual([customer["id"], loose.body["id"]])
  expect(await listed(`${path}?relationship_type=SUPPLIER`)).toEqual([loose.body["id"]])
  expect(await listed(`${path}?fullname=ada`)).toEqual([customer["id"]])
  expect((await bench.call("GET", `${path}?relationship_type=OTHER`)).status).toBe(422)
})

test.each([
  ["an unknown party", 5],
  ["no party under 0", 0],
])("a counterparty of %s is refused", async (_, party_id) => {
  const link = { relationship_type: "CUSTOMER", party_id }
  const { status, body } = await bench.call("POST", "/v1/counterparties/create", link)
  expect(status).toBe(422)
  expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", "party_id"] })])
})

test("a relationship that is none is refused", async () => {
  const link = { relationship_type: "OTHER" }
  const { status, body } = await bench.call("POST", "/v1/counterparties/create", link)
  expect(status).toBe(422)
  expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", "relationship_type"] })])
})

test("another merchant's party cannot be linked, and its records are not found", async () => {
  const party = await newParty(theirs)
  const counterparty = await newCounterparty(theirs)
  const own = await newCounterparty(bench.call)
  const link = { relationship_type: "CUSTOMER", party_id: party["id"] }
  const refusals = [
    await bench.call("POST", "/v1/counterparties/create", link),
    await bench.call("PUT", `/v1/counterparties/update/${String(own["id"])}`, link),
  ]
  for (const { status, body } of refusals) {
    expect(status).toBe(422)
    expect(body["detail"]).toEqual([expect.objectContaining({ loc: ["body", "party_id"] })])
  }
  const id = String(counterparty["id"])
  for (const answer of [
    await bench.call("GET", `/v1/parties/retrieve/${String(party["id"])}`),
    await bench.call("GET", `/v1/counterparties/retrieve/${id}`),
    await bench.call("PUT", `/v1/counterparties/update/${id}`, { relationship_type: "SELF" }),
  ]) {
    expect(answer.status).toBe(404)
  }
  expect(await listed("/v1/counterparties/list")).toEqual([own["id"]])
  expect(await listed("/v1/counterparties/list", theirs)).toEqual([counterparty["id"]])
})

test.each(["1", "abc", "0x3e9", "1e3"])("there is no party and no link under %s", async (id) => {
  await newParty(bench.call)
  expect((await bench.call("GET", `/v1/parties/retrieve/${id}`)).status).toBe(404)
  expect((await bench.call("GET", `/v1/counterparties/retrieve/${id}`)).status).toBe(404)
})
