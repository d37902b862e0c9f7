import { startBench, readyToExecute, checkoutRequest, phoneEnding, type Bench } from "../testing/client"
import { KINDS, newDraft, addLine, newParty, published } from "../testing/documents"
import { paid, soon, fieldOf } from "../testing/money-out"

let bench: Bench
beforeAll(async () => { bench = await startBench() })
afterAll(() => bench.close())
it("probe", async () => {
  const out: string[] = []
  const show = (name: string, a: any) => out.push(`${name}: ${a.status} ${JSON.stringify(a.body.detail ?? "").slice(0, 150)}`)
  const url = bench.simulator.url
  const tok = await fetch(`${url}/v1/jwt/client/obtain/token`, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "client_id=simulator-client&client_secret=simulator-secret" })
  out.push(`form token: ${tok.status}`)
  const { access_token } = await (await fetch(`${url}/v1/jwt/client/obtain/token`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ client_id: "simulator-client", client_secret: "simulator-secret" }) })).json() as any
  const f = await fetch(`${url}/v1/parties/create`, { method: "POST", headers: { authorization: `Bearer ${access_token}`, "content-type": "application/x-www-form-urlencoded" }, body: "fullname=a&phone=231770000000" })
  out.push(`form party: ${f.status}`)
  const t = await fetch(`${url}/v1/parties/create`, { method: "POST", headers: { authorization: `Bearer ${access_token}`, "content-type": "text/plain" }, body: "{}" })
  out.push(`text party: ${t.status}`)
  const u = await fetch(`${url}/v1/orders/list`, { headers: { authorization: `Basic ${access_token}` } })
  out.push(`basic: ${u.status}`)
  const dup = await fetch(`${url}/v1/orders/list?status=PAID&status=IDLE`, { headers: { authorization: `Bearer ${access_token}` } })
  out.push(`dup query: ${dup.status}`)
  for (const [n, ref] of [["v1", "c232ab00-9414-11ec-b3c8-9f6bdeced846"], ["v7", "01890a5d-ac96-774b-bcce-b302099a8057"], ["nil", "00000000-0000-0000-0000-000000000000"], ["upper", "9B2F4C1E-1111-4111-8111-111111111111"], ["braces", "{9b2f4c1e-1111-4111-8111-111111111111}"]]) {
    const r = await readyToExecute(bench, phoneEnding("42"), {}, ref)
    show(`ref ${n}`, await bench.call("POST", "/v1/executions/collection", r.execution))
  }
  const u1 = "9b2f4c1e-1111-4111-8111-111111111111"
  { const r = await readyToExecute(bench, phoneEnding("42"), {}, u1); show("ref lower after upper", await bench.call("POST", "/v1/executions/collection", r.execution)) }
  show("status upper", await bench.call("GET", `/v1/status/collection/9B2F4C1E-1111-4111-8111-111111111111`))
  show("status v1", await bench.call("GET", `/v1/status/collection/c232ab00-9414-11ec-b3c8-9f6bdeced846`))
  show("past expires", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ expires_at: "2020-01-01T00:00:00Z" })))
  show("expires no tz", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ expires_at: "2027-01-01T00:00:00" })))
  show("no items", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ items: [] })))
  show("item other ccy", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ items: [{ name: "a", currency: "LRD", amount: 1 }] })))
  show("item 0.001", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ items: [{ name: "a", currency: "USD", amount: 0.011 }] })))
  show("item string", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ items: [{ name: "a", currency: "USD", amount: "1.00" }] })))
  show("item 0", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ items: [{ name: "a", currency: "USD", amount: 0 }] })))
  show("rwf 0.5", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ currency: "RWF", items: [{ name: "a", currency: "RWF", amount: 0.5 }] })))
  show("rwf 1.5", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ currency: "RWF", items: [{ name: "a", currency: "RWF", amount: 1.5 }] })))
  show("qty 1 extra", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ items: [{ name: "a", currency: "USD", amount: 1, qty: 3 }] })))
  show("fee_bearer extra", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ fee_bearer: "PAYER" })))
  show("source_type instead", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ source_kind: undefined, source_type: "ORDER" })))
  show("SUBSCRIPTION", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ source_kind: "SUBSCRIPTION" })))
  show("rel OTHER", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ party_relationship: "OTHER" })))
  show("phone +", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ party_phone: "+231770000000" })))
  show("phone 0", await bench.call("POST", "/v1/parties/create", { fullname: "a", phone: "0770000000" }))
  show("phone 7", await bench.call("POST", "/v1/parties/create", { fullname: "a", phone: "1234567" }))
  show("phone 16", await bench.call("POST", "/v1/parties/create", { fullname: "a", phone: "1234567890123456" }))
  show("email junk", await bench.call("POST", "/v1/parties/create", { fullname: "a", phone: "231770000000", email: "junk" }))
  show("empty fullname", await bench.call("POST", "/v1/parties/create", { fullname: "", phone: "231770000000" }))
  show("party_email junk", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ party_email: "nope" })))
  show("currency usd", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ currency: "usd" })))
  show("currency missing", await bench.call("POST", "/v1/checkouts/create", checkoutRequest({ currency: undefined })))
  show("cp missing", await bench.call("POST", "/v1/orders/create", { currency: "USD", note: "", fee_bearer: "PAYER", as_payment_link: true }))
  show("invoice no due", await bench.call("POST", "/v1/invoices/create", { counterparty_id: 1, currency: "USD", note: "", fee_bearer: "PAYER", as_payment_link: true }))
  const acc = (c: object, type = "COLLECTION") => bench.call("POST", `/v1/payment-accounts/create?operation_type=${type}`, { account_name: "a", provider: "MOBILE_MONEY_GATEWAY", method: "OPERATOR1_MOMO_LBR", party_id: 1, insensitive_account_number: phoneEnding("00"), ...c })
  show("acc wrong provider", await acc({ provider: "CARD_PROCESSOR" }))
  show("acc wrong method", await acc({ method: "OPERATOR3_RWA" }))
  show("acc unknown method", await acc({ method: "X" }))
  show("acc no phone", await acc({ insensitive_account_number: undefined }))
  show("acc wallet payout", await acc({ provider: "PLATFORM", method: "WALLET", insensitive_account_number: undefined }, "PAYOUT"))
  show("acc op REFUND", await acc({}, "REFUND"))
  show("acc op TRANSFER", await acc({}, "TRANSFER"))
  show("acc no op", await bench.call("POST", `/v1/payment-accounts/create`, { account_name: "a", provider: "MOBILE_MONEY_GATEWAY", method: "OPERATOR1_MOMO_LBR", party_id: 1, insensitive_account_number: phoneEnding("00") }))
  show("acc country", await acc({ country_code: "RW" }))
  // card reuse
  {
    const mk = async () => { const r = await readyToExecute(bench, phoneEnding("00")); return r }
    const a = await mk()
    const card = await acc({ provider: "CARD_PROCESSOR", method: "CREDIT_CARD", insensitive_account_number: undefined, party_id: a.source["party_id"] })
    show("card exec 1", await bench.call("POST", "/v1/executions/collection", { ...a.execution, payment_account_id: String(card.body["id"]) }))
    const b = await mk()
    show("card exec 2 same account", await bench.call("POST", "/v1/executions/collection", { ...b.execution, payment_account_id: String(card.body["id"]) }))
  }
  { const r = await readyToExecute(bench, phoneEnding("00")); show("session int", await bench.call("POST", "/v1/executions/collection", { ...r.execution, session_id: Number(r.execution["session_id"]) }))
    show("lrd for usd", await bench.call("POST", "/v1/executions/collection", { ...r.execution, currency: "LRD" })) }
  { const r = await readyToExecute(bench, phoneEnding("42")); const e = r.execution
    show("exec", await bench.call("POST", "/v1/executions/collection", e))
    show("repeat", await bench.call("POST", "/v1/executions/collection", e))
    show("repeat other ccy", await bench.call("POST", "/v1/executions/collection", { ...e, currency: "LRD" }))
    show("again new ref", await bench.call("POST", "/v1/executions/collection", { ...e, reference_id: crypto.randomUUID() }))
    show("new session while processing", await bench.call("POST", "/v1/sessions/checkout", { source_id: r.source["source_id"], source_type: "ORDER" }))
    show("cancel processing", await bench.call("DELETE", `/v1/orders/cancel/${r.source["source_id"]}`))
    show("session wrong type", await bench.call("POST", "/v1/sessions/checkout", { source_id: r.source["source_id"], source_type: "INVOICE" }))
  }
  { const p = await paid(bench); const i = p.intentId
    const body = (c: object) => ({ original_payment_intent_id: i, amount: 1, expires_at: soon(bench), ...c })
    show("refund more", await bench.call("POST", "/v1/sessions/refund", body({ amount: 42.51 })))
    show("refund past", await bench.call("POST", "/v1/sessions/refund", body({ expires_at: "2020-01-01T00:00:00Z" })))
    show("refund noexp", await bench.call("POST", "/v1/sessions/refund", body({ expires_at: undefined })))
    show("refund str", await bench.call("POST", "/v1/sessions/refund", body({ original_payment_intent_id: String(i) })))
    const s = await bench.call("POST", "/v1/sessions/refund", body({}))
    show("refund same ref as collection", await bench.call("POST", "/v1/executions/refund", { session_id: String(s.body["id"]), reference_id: p.execution["reference_id"] }))
    show("refund session as collection", await bench.call("POST", "/v1/executions/collection", { ...p.execution, session_id: String(s.body["id"]), reference_id: crypto.randomUUID() }))
    show("receipt order id", await bench.call("GET", `/v1/orders/receipt/${p.source["source_id"]}`))
    show("cancel paid", await bench.call("DELETE", `/v1/orders/cancel/${p.source["source_id"]}`))
  }
  const kind = KINDS[0]
  { const d = await newDraft(bench.call, kind)
    show("publish empty", await bench.call("PUT", `/v1/orders/publish/${d["id"]}`))
    show("publish unknown", await bench.call("PUT", `/v1/orders/publish/99999`))
    show("publish 1e3", await bench.call("PUT", `/v1/orders/publish/1e3`))
    show("qty 0", await addLine(bench.call, kind, d, { qty: 0 }))
    show("qty 1.5", await addLine(bench.call, kind, d, { qty: 1.5 }))
    show("empty name", await addLine(bench.call, kind, d, { name: "" }))
    show("session idle", await bench.call("POST", "/v1/sessions/checkout", { source_id: d["id"], source_type: "ORDER" }))
    show("link idle", await bench.call("GET", `/v1/links/pay?source_type=ORDER&source_number=${d["order_number"]}`))
    show("bad fee bearer", await bench.call("PUT", `/v1/orders/update/${d["id"]}`, { fee_bearer: "SHOP" }))
    await addLine(bench.call, kind, d)
    show("publish with fields", await bench.call("PUT", `/v1/orders/publish/${d["id"]}`))
    show("add after publish", await addLine(bench.call, kind, d))
    show("update after publish", await bench.call("PUT", `/v1/orders/update/${d["id"]}`, { note: "x" }))
  }
  void newParty; void published; void fieldOf
  console.log(out.join("\n"))
})
