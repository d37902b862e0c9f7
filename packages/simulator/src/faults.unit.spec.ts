import { createFaults, isFaultEntry } from "./faults"

const ALL = ["executeCollection", "getCollectionStatus"]

test("a script is consumed one entry a call and then all is well", () => {
  const faults = createFaults(["executeCollection"])
  faults.script("executeCollection", ["ok", "500:after", "reset"])
  expect(faults.next("executeCollection")).toBeNull()
  expect(faults.next("executeCollection")).toEqual({ kind: "500", isAfter: true })
  expect(faults.next("executeCollection")).toEqual({ kind: "reset", isAfter: false })
  expect(faults.next("executeCollection")).toBeNull()
})

test("a fault is scripted for one call by its number, counted from now", () => {
  const faults = createFaults(ALL)
  faults.next("executeCollection")
  faults.at({ operation: "executeCollection", call: 2, fault: "hang" })
  faults.at({ operation: "executeCollection", call: 3, fault: "html" })
  expect(faults.scripted()).toEqual([
    { operation: "executeCollection", call: 2, fault: "hang:before" },
    { operation: "executeCollection", call: 3, fault: "html:before" },
  ])
  expect(faults.next("executeCollection")).toBeNull()
  expect(faults.next("executeCollection")).toMatchObject({ kind: "hang" })
  expect(faults.scripted()).toMatchObject([{ call: 1, fault: "html:before" }])
})

test("a new script takes the place of the old one, and other operations keep theirs", () => {
  const faults = createFaults(ALL)
  faults.script("executeCollection", ["500", "500", "500"])
  faults.script("getCollectionStatus", ["404"])
  faults.script("executeCollection", ["reset"])
  expect(faults.next("executeCollection")).toMatchObject({ kind: "reset" })
  expect(faults.next("executeCollection")).toBeNull()
  expect(faults.next("getCollectionStatus")).toMatchObject({ kind: "404" })
})

test("the history tells what struck, where and from which source", () => {
  const faults = createFaults(ALL)
  faults.script("executeCollection", ["ok", "429:date"])
  faults.next("executeCollection")
  faults.next("executeCollection")
  faults.random({ seed: "1", rate: 1, kinds: ["reset:after"] })
  faults.next("getCollectionStatus")
  expect(faults.history()).toEqual([
    { operation: "executeCollection", call: 2, fault: "429:date:before", origin: "script" },
    { operation: "getCollectionStatus", call: 1, fault: "reset:after", origin: "random" },
  ])
})

test("the history keeps the last 200", () => {
  const faults = createFaults(["executeCollection"])
  faults.random({ seed: "1", rate: 1 })
  for (let call = 0; call < 250; call += 1) faults.next("executeCollection")
  expect(faults.history()).toHaveLength(200)
  expect(faults.history().at(-1)?.call).toBe(250)
})

const drawn = (seed: string, between: string[] = []) => {
  const faults = createFaults(ALL)
  faults.next("executeCollection")
  faults.random({ seed, rate: 0.3 })
  return Array.from({ length: 100 }, () => {
    between.forEach((operation) => faults.next(operation))
    return faults.next("executeCollection")
  })
}

test("the same seed gives the same faults, whatever is called in between", () => {
  expect(drawn("a")).toEqual(drawn("a", ["getCollectionStatus", "getCollectionStatus"]))
  expect(drawn("a")).not.toEqual(drawn("b"))
})

test("each operation has its own luck", () => {
  const faults = createFaults(ALL)
  faults.random({ seed: "a", rate: 0.3 })
  const both = Array.from({ length: 100 }, () => ALL.map((operation) => faults.next(operation)))
  expect(both.map(([first]) => first)).not.toEqual(both.map(([, second]) => second))
  expect(both.some(([first, second]) => first === null && second !== null)).toBe(true)
})

test("about as many calls fail as were asked for, in many ways", () => {
  const struck = drawn("a").filter((fault) => fault !== null)
  expect(struck.length).toBeGreaterThan(15)
  expect(struck.length).toBeLessThan(45)
  expect(new Set(struck.map(({ kind }) => kind)).size).toBeGreaterThan(5)
  expect(new Set(struck.map(({ isAfter }) => isAfter)).size).toBe(2)
})

test("a script goes before chance, with ok too", () => {
  const faults = createFaults(["executeCollection"])
  faults.random({ seed: "1", rate: 1, kinds: ["500"] })
  faults.script("executeCollection", ["ok", "reset"])
  expect(faults.next("executeCollection")).toBeNull()
  expect(faults.next("executeCollection")).toMatchObject({ kind: "reset" })
  expect(faults.next("executeCollection")).toMatchObject({ kind: "500" })
})

test("chance keeps to the operations that it was given", () => {
  const faults = createFaults(ALL)
  faults.random({ seed: "1", rate: 1, operations: ["getCollectionStatus"] })
  expect(faults.next("executeCollection")).toBeNull()
  expect(faults.next("getCollectionStatus")).not.toBeNull()
})

test("clear ends scripts and chance", () => {
  const faults = createFaults(ALL)
  faults.script("executeCollection", ["500"])
  faults.random({ seed: "1", rate: 1 })
  faults.clear()
  expect([faults.scripted(), faults.randomized()]).toEqual([[], null])
  expect(faults.next("executeCollection")).toBeNull()
})

test.each([
  ["a rate above 1", { seed: "1", rate: 1.5 }, "no rate"],
  ["a rate that is no number", { seed: "1", rate: Number.NaN }, "no rate"],
  ["no kinds", { seed: "1", rate: 1, kinds: [] }, "no kind"],
  ["ok as a kind", { seed: "1", rate: 1, kinds: ["ok" as const] }, "not a fault"],
  ["an unknown operation", { seed: "1", rate: 1, operations: ["nope"] }, "nope"],
])("chance with %s is refused", (_, random, sentence) => {
  expect(() => createFaults(ALL).random(random)).toThrow(sentence)
})

test("what does not exist is refused by name", () => {
  const faults = createFaults(ALL)
  expect(() => faults.script("executeColection", ["500"])).toThrow("executeColection")
  const misspelt = { operation: "executeColection", call: 1, fault: "500" } as const
  expect(() => faults.at(misspelt)).toThrow("executeColection")
  const zeroth = { operation: "executeCollection", call: 0, fault: "500" } as const
  expect(() => faults.at(zeroth)).toThrow("no call number")
  expect(isFaultEntry("501")).toBe(false)
})
