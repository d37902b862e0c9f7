import { UTC } from "../core/time-zone"
import { periodQuery } from "../reconciliation/schemas/reconciliation"
import { periodIn } from "./asked-period"
import { parsed } from "./parsed"

const NOW = new Date("2026-11-22T10:30:00Z")
const read = (given: object) => {
  const query = parsed(periodQuery, given)
  return periodIn(query, query.time_zone ?? UTC, NOW)
}
const asked = (given: object) => {
  const { from, until } = read(given)
  return [from.toISOString(), until.toISOString()]
}

it.each([
  [{}, "2026-11-22T00:00:00.000Z", "2026-11-23T00:00:00.000Z"],
  [{ from: "2026-11-20" }, "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  [
    { from: "2026-11-01", to: "2026-11-08" },
    "2026-11-01T00:00:00.000Z",
    "2026-11-09T00:00:00.000Z",
  ],
  [
    { from: "2026-11-20T12:00:00+02:00", to: "2026-11-20T11:00:00Z" },
    "2026-11-20T10:00:00.000Z",
    "2026-11-20T11:00:00.000Z",
  ],
  [
    { from: "2026-11-20", time_zone: "Africa/Kigali" },
    "2026-11-19T22:00:00.000Z",
    "2026-11-20T22:00:00.000Z",
  ],
  [{ time_zone: "Pacific/Auckland" }, "2026-11-21T11:00:00.000Z", "2026-11-22T11:00:00.000Z"],
  [{ from: "2026-11-20T10:00:00Z" }, "2026-11-20T10:00:00.000Z", "2026-11-21T10:00:00.000Z"],
])("%j is the whole days, of the time zone, or from moment to moment", (given, from, until) => {
  expect(asked(given)).toEqual([from, until])
})

it.each([
  [{ from: "yesterday" }, "from"],
  [{ from: "2026-02-31" }, "from"],
  [{ from: "2026-11-20T10:00:00" }, "from"],
  [{ from: ["2026-11-20", "2026-11-21"] }, "from"],
  [{ from: "1999-12-31" }, "from"],
  [{ from: "2026-11-23" }, "from"],
  [{ from: "2026-11-20", to: "2026-11-19" }, "to"],
  [{ from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:00:00Z" }, "to"],
  [{ to: "2026-11-20" }, "to"],
  [{ from: "2026-11-20", to: "2100-01-01" }, "to"],
  [{ account_id: "a b" }, "account_id"],
  [{ account_id: "\0" }, "account_id"],
  [{ format: "pdf" }, "format"],
  [{ fresh: "1" }, "fresh"],
  [{ time_zone: "Mars/Base" }, "time_zone"],
  [{ only: "all" }, "only"],
  [{ page: "2" }, null],
])("%j is refused, with the field that is wrong", (given, field) => {
  expect(() => read(given)).toThrow(
    expect.objectContaining({ code: "invalid_request", details: { field } }),
  )
})
