import { workOff } from "./work-off"

/** Work that ends when it is told to, and helpings that are given when asked for. */
function scene(helpings: readonly (readonly number[])[], atOnce: number) {
  const begun: number[] = []
  const ends = new Map<number, { resolve(): void; reject(error: Error): void }>()
  let asked = 0
  const done = workOff<number>({
    atOnce,
    more: () => Promise.resolve(helpings[asked++] ?? []),
    work: (thing) => {
      begun.push(thing)
      return new Promise((resolve, reject) => ends.set(thing, { resolve, reject }))
    },
  })
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    done,
    begun,
    asked: () => asked,
    settled,
    async end(...things: number[]) {
      for (const thing of things) ends.get(thing)?.resolve()
      await settled()
    },
    async fail(thing: number) {
      ends.get(thing)?.reject(new Error(`${thing} failed`))
      await settled()
    },
  }
}

describe("working off", () => {
  it("has never more under way than it may, and begins the next as soon as one ends", async () => {
    const { begun, end, settled, done } = scene([[1, 2, 3, 4]], 2)
    await settled()
    expect(begun).toEqual([1, 2])
    await end(2)
    expect(begun).toEqual([1, 2, 3])
    await end(1, 3)
    await end(4)
    expect(await done).toEqual({ left: [] })
  })

  it("asks for more before the last is begun, so that nothing stands idle", async () => {
    const { begun, end, asked, settled, done } = scene([[1, 2, 3, 4, 5], [6]], 2)
    await settled()
    expect(asked()).toBe(1)
    await end(1, 2)
    expect(begun).toEqual([1, 2, 3, 4])
    expect(asked()).toBeGreaterThanOrEqual(2)
    await end(3, 4)
    expect(begun).toEqual([1, 2, 3, 4, 5, 6])
    await end(5, 6)
    expect(await done).toEqual({ left: [] })
  })

  it("does not ask again once there was no more", async () => {
    const { end, asked, settled, done } = scene([[1], [], [2]], 4)
    await settled()
    expect(asked()).toBe(2)
    await end(1)
    await done
    expect(asked()).toBe(2)
  })

  it("begins nothing more after a failure, waits for what is under way, and tells what is left", async () => {
    const { begun, end, fail, settled, done } = scene([[1, 2, 3, 4]], 2)
    await settled()
    await fail(1)
    expect(begun).toEqual([1, 2])
    const isOver = jest.fn()
    void done.then(isOver)
    await settled()
    expect(isOver).not.toHaveBeenCalled()
    await end(2)
    expect(await done).toMatchObject({ left: [3, 4], failure: { error: new Error("1 failed") } })
  })

  it("takes a failure to get more for its end, too", async () => {
    const over = await workOff<number>({
      atOnce: 2,
      more: () => Promise.reject(new Error("away")),
      work: () => Promise.resolve(),
    })
    expect(over).toEqual({ left: [], failure: { error: new Error("away") } })
  })
})
