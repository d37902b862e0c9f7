import { MINUTE_MS, sourceStatus, startBench, type Bench, type Json } from "../testing/client"
import {
  addLine,
  callsAs,
  draftRequest,
  KINDS,
  newCounterparty,
  newDraft,
  OTHER,
  published,
} from "../testing/documents"

let bench: Bench
beforeEach(async () => {
  bench = await startBench({ merchants: [OTHER] })
})
afterEach(() => bench.close())

const refusedOn = (loc: unknown[]) => ({
  status: 422,
  body: { detail: [expect.objectContaining({ loc })] },
})
const STATE = expect.objectContaining({ loc: ["path", "id"], type: "state_error" })

describe.each(KINDS)("$path", (kind) => {
  const { path, number, items, parameter } = kind
  const draft = (change: Json = {}) => newDraft(bench.call, kind, change)
  const detailOf = async (id: unknown) =>
    (await bench.call("GET", `/v1/${path}/retrieve/${String(id)}`)).body
  const update = (id: unknown, change: Json) =>
    bench.call("PUT", `/v1/${path}/update/${String(id)}`, change)
  const publish = (id: unknown) => bench.call("PUT", `/v1/${path}/publish/${String(id)}`)
  const cancel = (id: unknown) => bench.call("DELETE", `/v1/${path}/cancel/${String(id)}`)

  test("start IDLE, without lines, as they were sent", async () => {
    const made = await draft()
    expect(made).toMatchObject({
      status: "IDLE",
      total_amount: 0,
      currency: "USD",
      note: "Thank you",
      fee_bearer: "PAYER",
      as_payment_link: true,
      reference_id: "cart_7",
      owner_id: 1,
      owner_type: "ORGANIZATION",
      paid_at: null,
    })
    expect(await detailOf(made["id"])).toMatchObject({
      ...made,
      [items]: [],
      counterparty: { id: made["counterparty_id"], party: { fullname: "Ada Weah" } },
    })
  })

  test("are found by their number too", async () => {
    const made = await draft()
    const byNumber = `/v1/${path}/retrieve/number/${String(made[number])}`
    expect((await bench.call("GET", byNumber)).body).toEqual(await detailOf(made["id"]))
    expect((await bench.call("GET", `/v1/${path}/retrieve/number/none`)).status).toBe(404)
  })

  test("cost the sum of unit price times quantity, as the book has it", async () => {
    const made = await draft()
    const { body: line } = await addLine(bench.call, kind, made, { qty: 3, amount: 0.1 })
    expect(line).toMatchObject({ name: "T-shirt", qty: 3, amount: 0.1, currency: "USD" })
    await addLine(bench.call, kind, made, { qty: 2, amount: 19.99 })
    const detail = await detailOf(made["id"])
    expect(detail).toMatchObject({ total_amount: 40.28, [items]: [line, { qty: 2 }] })
    expect(bench.simulator.book.document(Number(made["id"]))).toMatchObject({
      totalAmount: "40.28",
      feeBearer: "PAYER",
      lines: [
        { name: "T-shirt", qty: 3, unitAmount: "0.10" },
        { name: "T-shirt", qty: 2, unitAmount: "19.99" },
      ],
    })
  })

  test("change their lines while they are drafts", async () => {
    const made = await draft()
    const { body: first } = await addLine(bench.call, kind, made)
    const { body: second } = await addLine(bench.call, kind, made, { amount: 5, qty: 1 })
    const line = (one: Json) => `/v1/${path}/${String(made["id"])}/items/${String(one["id"])}`
    bench.clock.advance(MINUTE_MS)
    const changed = await bench.call("PUT", `${line(first)}/update`, { qty: 1, name: null })
    expect(changed.body).toEqual({ ...first, qty: 1, updated_at: "2026-01-01T00:01:00.000Z" })
    await bench.call("PUT", `${line(first)}/update`, { amount: 20, name: "Shirt" })
    expect(await bench.call("DELETE", `${line(second)}/remove`)).toEqual({ status: 200, body: {} })
    const detail = await detailOf(made["id"])
    expect(detail).toMatchObject({ total_amount: 20, [items]: [{ name: "Shirt", qty: 1 }] })
    expect((await bench.call("DELETE", `${line(second)}/remove`)).status).toBe(404)
    expect((await bench.call("PUT", `${line(second)}/update`, { qty: 2 })).status).toBe(404)
  })

  test("change what is sent while they are drafts, and nothing else", async () => {
    const made = await draft()
    bench.clock.advance(MINUTE_MS)
    const { body } = await update(made["id"], { fee_bearer: "PAYEE", note: null })
    const updated_at = "2026-01-01T00:01:00.000Z"
    expect(body).toEqual({ ...made, fee_bearer: "PAYEE", updated_at })
    const again = await update(made["id"], { note: "Changed", reference_id: "cart_8" })
    expect(again.body).toMatchObject({ note: "Changed", reference_id: "cart_8" })
  })

  test("are published with a line only, and once", async () => {
    const made = await draft()
    expect(await publish(made["id"])).toEqual({ status: 422, body: { detail: [STATE] } })
    await addLine(bench.call, kind, made)
    expect((await publish(made["id"])).body).toMatchObject({
      status: "ACTIVE",
      total_amount: 39.98,
    })
    expect(await publish(made["id"])).toEqual({ status: 422, body: { detail: [STATE] } })
  })

  test("of an emptied draft are not published", async () => {
    const made = await draft()
    const { body: line } = await addLine(bench.call, kind, made)
    const item = `/v1/${path}/${String(made["id"])}/items/${String(line["id"])}`
    await bench.call("DELETE", `${item}/remove`)
    expect((await publish(made["id"])).status).toBe(422)
  })

  test.each(["ACTIVE", "PROCESSING", "PAID", "CANCELED"])(
    "are locked against every change once they are %s",
    async (status) => {
      const made = await published(bench.call, kind)
      const id = String(made["id"])
      if (status === "PROCESSING") {
        const phone = "231770000042"
        bench.simulator.hosted.pay(Number(id), { method: "mobile_money", phone })
      }
      if (status === "PAID") bench.simulator.hosted.pay(Number(id), { method: "card" })
      if (status === "CANCELED") await cancel(id)
      const before = await detailOf(id)
      expect(before).toMatchObject({ status })
      const [line] = bench.simulator.book.document(Number(id))?.lines ?? []
      expect(line).toMatchObject({ qty: 2 })
      const lineId = String((before[items] as Json[])[0]?.["id"])
      const changes = [
        await update(id, { note: "Changed" }),
        await addLine(bench.call, kind, made),
        await bench.call("PUT", `/v1/${path}/${id}/items/${lineId}/update`, { qty: 9 }),
        await bench.call("DELETE", `/v1/${path}/${id}/items/${lineId}/remove`),
        await publish(id),
      ]
      for (const [index, change] of changes.entries()) {
        const name = index === 0 || index === 4 ? "id" : parameter
        expect(change).toMatchObject(refusedOn(["path", name]))
      }
      expect(await detailOf(id)).toEqual(before)
    },
  )

  test.each([
    ["IDLE", 200],
    ["ACTIVE", 200],
    ["PROCESSING", 422],
    ["PAID", 422],
    ["CANCELED", 422],
  ])("are canceled from %s with %i", async (status, expected) => {
    const made = status === "IDLE" ? await draft() : await published(bench.call, kind)
    const id = Number(made["id"])
    if (status === "PROCESSING") {
      bench.simulator.hosted.pay(id, { method: "mobile_money", phone: "231770000042" })
    }
    if (status === "PAID") bench.simulator.hosted.pay(id, { method: "card" })
    if (status === "CANCELED") await cancel(id)
    const answer = await cancel(id)
    expect(answer.status).toBe(expected)
    const after = expected === 200 ? "CANCELED" : status
    expect(bench.simulator.book.document(id)?.status).toBe(after)
    expect(await detailOf(id)).toMatchObject({ status: after })
  })

  test("have their state read as a source", async () => {
    const made = await published(bench.call, kind)
    const source = { source_type: kind.type, source_id: made["id"] }
    const shown = { status: "ACTIVE", total_amount: 39.98, source_number: made[number] }
    expect(await sourceStatus(bench, source)).toMatchObject(shown)
  })

  test.each([
    ["no counterparty", { counterparty_id: undefined }, "counterparty_id"],
    ["an unknown counterparty", { counterparty_id: 5 }, "counterparty_id"],
    ["no currency", { currency: undefined }, "currency"],
    ["a currency in lower case", { currency: "usd" }, "currency"],
    ["a currency nobody serves", { currency: "XAF" }, "currency"],
    ["no fee bearer", { fee_bearer: undefined }, "fee_bearer"],
    ["an unknown fee bearer", { fee_bearer: "SPLIT" }, "fee_bearer"],
    ["no note", { note: undefined }, "note"],
    ["no word about a link", { as_payment_link: undefined }, "as_payment_link"],
  ])("with %s are refused", async (_, change, field) => {
    const request = draftRequest(await newCounterparty(bench.call), change)
    const answer = await bench.call("POST", `/v1/${path}/create`, request)
    expect(answer).toMatchObject(refusedOn(["body", field]))
    expect(bench.simulator.book.documents()).toEqual([])
  })

  test("of a counterparty without a party, or of another merchant's, are refused", async () => {
    const { body: loose } = await bench.call("POST", "/v1/counterparties/create", {
      relationship_type: "CUSTOMER",
    })
    const foreign = await newCounterparty(await callsAs(bench, OTHER))
    for (const counterparty of [loose, foreign]) {
      const answer = await bench.call("POST", `/v1/${path}/create`, draftRequest(counterparty))
      expect(answer).toMatchObject(refusedOn(["body", "counterparty_id"]))
    }
  })

  test.each([
    ["no name", { name: undefined }, "name"],
    ["no currency", { currency: undefined }, "currency"],
    ["another currency", { currency: "LRD" }, "currency"],
    ["no quantity", { qty: undefined }, "qty"],
    ["a quantity of 0", { qty: 0 }, "qty"],
    ["half a piece", { qty: 1.5 }, "qty"],
    ["no price", { amount: undefined }, "amount"],
    ["a price of 0", { amount: 0 }, "amount"],
    ["a price below 0", { amount: -1 }, "amount"],
    ["half a cent", { amount: 1.005 }, "amount"],
    ["a total that cannot be counted", { qty: 2 ** 52 }, "amount"],
  ])("refuse a line with %s", async (_, change, field) => {
    const made = await draft()
    const answer = await addLine(bench.call, kind, made, change)
    expect(answer).toMatchObject(refusedOn(["body", field]))
    expect(await detailOf(made["id"])).toMatchObject({ total_amount: 0, [items]: [] })
  })

  test.each([
    ["half a cent", { amount: 1.005 }, "amount"],
    ["a quantity of 0", { qty: 0 }, "qty"],
    ["a total that cannot be counted", { qty: 2 ** 52 }, "qty"],
  ])("refuse a line that is changed to %s", async (_, change, field) => {
    const made = await draft()
    const { body: line } = await addLine(bench.call, kind, made)
    const item = `/v1/${path}/${String(made["id"])}/items/${String(line["id"])}`
    expect(await bench.call("PUT", `${item}/update`, change)).toMatchObject(
      refusedOn(["body", field]),
    )
    expect(await detailOf(made["id"])).toMatchObject({ total_amount: 39.98 })
  })

  test("take whole amounts only in a currency without a smaller unit", async () => {
    const made = await draft({ currency: "RWF" })
    const rwf = { currency: "RWF", qty: 1 }
    expect(await addLine(bench.call, kind, made, { ...rwf, amount: 0.5 })).toMatchObject(
      refusedOn(["body", "amount"]),
    )
    await addLine(bench.call, kind, made, { ...rwf, amount: 2500 })
    expect(await detailOf(made["id"])).toMatchObject({ total_amount: 2500 })
  })

  test("of another merchant or the other kind are not found, whatever is asked", async () => {
    const theirs = await callsAs(bench, OTHER)
    const other = KINDS.find((candidate) => candidate !== kind) ?? kind
    const foreign = await newDraft(theirs, kind)
    const { body: line } = await addLine(theirs, kind, foreign)
    const strange = await newDraft(bench.call, other)
    const strangeLine = (await addLine(bench.call, other, strange)).body
    const own = await draft()
    const ownLine = (await addLine(bench.call, kind, own)).body
    for (const [id, itemId] of [
      [foreign["id"], line["id"]],
      [strange["id"], strangeLine["id"]],
      [`0x${Number(own["id"]).toString(16)}`, ownLine["id"]],
    ]) {
      const item = `/v1/${path}/${String(id)}/items`
      for (const answer of [
        await bench.call("GET", `/v1/${path}/retrieve/${String(id)}`),
        await update(id, { note: "" }),
        await publish(id),
        await cancel(id),
        await addLine(bench.call, kind, { id }),
        await bench.call("PUT", `${item}/${String(itemId)}/update`, { qty: 1 }),
        await bench.call("DELETE", `${item}/${String(itemId)}/remove`),
        await bench.call("GET", `/v1/${path}/receipt/${String(id)}`),
      ]) {
        expect(answer.status).toBe(404)
      }
    }
    const numbered = `/v1/${path}/retrieve/number/${String(foreign[number])}`
    expect((await bench.call("GET", numbered)).status).toBe(404)
    const { body: list } = await bench.call("GET", `/v1/${path}/list`)
    expect(list).toMatchObject([{ id: own["id"], status: "IDLE", total_amount: 39.98 }])
  })

  test("do not share lines: one is not found under another document", async () => {
    const [mine, other] = [await draft(), await draft()]
    const { body: line } = await addLine(bench.call, kind, other)
    const item = `/v1/${path}/${String(mine["id"])}/items/${String(line["id"])}`
    expect((await bench.call("DELETE", `${item}/remove`)).status).toBe(404)
    expect(await detailOf(other["id"])).toMatchObject({ total_amount: 39.98 })
  })
})

test("an invoice has a due date, asked for or not; an order has none", async () => {
  const [order, invoice] = KINDS
  const due_date = "2026-03-01T00:00:00Z"
  const made = await newDraft(bench.call, invoice, { due_date })
  expect(made["due_date"]).toBe(due_date)
  const later = { due_date: "2026-04-01T00:00:00Z" }
  const { body } = await bench.call("PUT", `/v1/invoices/update/${String(made["id"])}`, later)
  expect(body).toMatchObject(later)
  expect(await newDraft(bench.call, invoice)).toMatchObject({ due_date: expect.any(String) })
  expect(await newDraft(bench.call, order)).not.toHaveProperty("due_date")
})
