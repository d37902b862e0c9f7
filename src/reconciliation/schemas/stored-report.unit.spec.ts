import { storedReport } from "./stored-report"

const DIFFERENCE = {
  done: "listed",
  operation_id: null,
  state: null,
  source_type: "ORDER",
  source_id: 1,
  document_reference: null,
  gateway_status: "PAID",
  payment_id: null,
  order_id: null,
  gateway_amount: null,
  ledger_amount: null,
  medusa_amount: null,
}

it("a difference that another version has stored without words here is left out", () => {
  const differences = ["paid_twice", "of_another_version"].map((code) => ({
    ...DIFFERENCE,
    code,
  }))
  const read = storedReport.parse({ counts: {}, totals: [], differences })
  expect(read.differences.map(({ code }) => code)).toEqual(["paid_twice"])
})

it("totals of another form are unreadable, so that the comparison is made again", () => {
  const report = { counts: {}, totals: [{ currency: "USD" }], differences: [] }
  expect(storedReport.safeParse(report).success).toBe(false)
})
