import {
  BUSINESS_CASES,
  BUSINESS_IDS,
  problemsOf,
} from "../../integration-tests/support/decide-table"

it("every business case of the matrix has a row", () => {
  const rows = new Set(BUSINESS_CASES.map(({ id }) => id))
  expect([...rows].sort()).toEqual([...BUSINESS_IDS].sort())
})

it("no row stands there twice", () => {
  const names = BUSINESS_CASES.map(({ id, name }) => `${id} ${name}`)
  expect(new Set(names).size).toBe(names.length)
})

it("a row that is not as expected is a problem", () => {
  const [first] = BUSINESS_CASES
  if (!first) throw new Error("there are no rows")
  expect(problemsOf({ ...first, expected: "something else" })).toHaveLength(1)
})

it.each(BUSINESS_CASES.map((row) => [row.id, row.name, row] as const))(
  "[%s] %s",
  (_id, _name, row) => {
    expect(problemsOf(row)).toEqual([])
  },
)
