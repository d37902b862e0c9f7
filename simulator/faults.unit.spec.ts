import { createFaults, isFaultEntry, parsedFault } from "./faults"

test("a script is consumed one entry a call and then all is well", () => {
  const faults = createFaults(["executeCollection"])
  faults.script("executeCollection", ["ok", "500:after", "reset"])
  expect(faults.next("executeCollection")).toBeNull()
  expect(faults.next("executeCollection")).toEqual({ kind: "500", isAfter: true })
  expect(faults.next("executeCollection")).toEqual({ kind: "reset", isAfter: false })
  expect(faults.next("executeCollection")).toBeNull()
})

test("a cut answer is always one of a call that was carried out", () => {
  expect(parsedFault("cut")).toEqual({ kind: "cut", isAfter: true })
})

test.each(["501", "500:later", "500:after:all", "", 500])("%p is no fault", (entry) => {
  expect(isFaultEntry(entry)).toBe(false)
})

test("a script for an operation that does not exist is refused", () => {
  expect(() => createFaults([]).script("executeColection", ["500"])).toThrow("executeColection")
})
