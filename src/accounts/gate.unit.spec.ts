import { gate } from "./gate"

it("a gate lets so many through at once, the others in order, and a failure gives its place back", async () => {
  const through = gate(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const pass = (name: string) =>
    through(() => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const failing = through(() => Promise.reject(new Error("no")))
  await expect(failing).rejects.toThrow("no")
  const all = ["a", "b", "c", "d"].map(pass)
  await Promise.resolve()
  expect(begun).toEqual(["a", "b"])
  ends[1]?.()
  await all[1]
  await Promise.resolve()
  expect(begun).toEqual(["a", "b", "c"])
  ends[0]?.()
  await all[0]
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  for (const end of ends) end()
  await Promise.all(all)
  expect(begun).toEqual(["a", "b", "c", "d"])
})
