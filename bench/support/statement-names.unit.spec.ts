import { countedByName, nameOf } from "./statement-names"

describe("the name of a statement", () => {
  it.each([
    ["select 1", "select"],
    [`select "a"."id" from "cart" as "a" where x`, "select cart"],
    [
      "with due as (select id from mp_operation for update skip locked) select * from due",
      "select mp_operation",
    ],
    [`insert into "public"."order_cart" ("x") values ($1)`, "insert order_cart"],
    [
      "insert into mp_bucket (a) values ($1) on conflict (a) do update set b = 1",
      "insert mp_bucket",
    ],
    [
      "with changed as (update mp_operation set a = 1 returning id)\n insert into mp_event select id from changed",
      "update mp_operation + insert mp_event",
    ],
    ["begin isolation level read committed", "begin"],
    ["COMMIT", "commit"],
  ])("of %s", (statement, name) => {
    expect(nameOf(statement)).toBe(name)
  })

  it("counts", () => {
    expect(Object.fromEntries(countedByName(["begin", "begin", "commit"]))).toEqual({
      begin: 2,
      commit: 1,
    })
  })
})
