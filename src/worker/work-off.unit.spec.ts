import { LIMITS } from "../core/limits"
import { underWay } from "./under-way"
import { workOff, type WorkOff } from "./work-off"

type Scene = {
  /** How many of a group are under way at once. */
  readonly atOnce?: number
  /** By what is left out of them. */
  readonly batch: (busy: readonly string[]) => readonly string[]
  readonly leave?: WorkOff<string>["leave"]
  readonly places?: ReturnType<typeof placesFor>
}

const placesFor = (atOnce: number) => ({
  ...underWay({ monotonicMs: () => 0 }),
  of: () => atOnce,
})

/** Only the places of the group are fewer than there are. */
function limited(atOnce: number) {
  const places = placesFor(atOnce)
  return { ...places, isFree: (group: string) => places.taken(group) < atOnce }
}

const settled = async () => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve()
}

/**
 * Work that ends when it is told to. A thing is `a1`: its group is `a`. A full helping has three
 * things.
 */
function scene({ atOnce = 2, batch, leave, places = limited(atOnce) }: Scene) {
  const begun: string[] = []
  const asked: string[] = []
  const ends = new Map<string, { resolve(): void; reject(error: Error): void }>()
  const adds = new Map<string, (thing: string) => void>()
  const done = workOff<string>({
    places,
    groupOf: (thing) => thing.slice(0, 1),
    more: (busy) => {
      asked.push(busy.join())
      const things = batch(busy)
      return Promise.resolve({ things, isMore: things.length >= 3 })
    },
    work: (thing, add) => {
      begun.push(thing)
      adds.set(thing, add)
      return new Promise((resolve, reject) => ends.set(thing, { resolve, reject }))
    },
    ...(leave && { leave }),
  })
  return {
    done,
    begun,
    asked,
    places,
    add: (by: string, thing: string) => adds.get(by)?.(thing),
    async end(...things: string[]) {
      for (const thing of things) ends.get(thing)?.resolve()
      await settled()
    },
    async fail(thing: string) {
      ends.get(thing)?.reject(new Error(`${thing} failed`))
      await settled()
    },
  }
}

/** One helping after the other, and then nothing. */
function inTurn(...batches: string[][]) {
  return () => batches.shift() ?? []
}

/** A clock that goes on when it is told to. */
function drivenClock() {
  let nowMs = 0
  let wakes: { atMs: number; resolve(): void }[] = []
  return {
    monotonicMs: () => nowMs,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => void wakes.push({ atMs: nowMs + ms, resolve })),
    async pass(ms: number) {
      nowMs += ms
      const due = wakes.filter(({ atMs }) => atMs <= nowMs)
      wakes = wakes.filter(({ atMs }) => atMs > nowMs)
      for (const { resolve } of due) resolve()
      await settled()
    },
  }
}

describe("working off", () => {
  it("has never more under way than it may, and begins the next as soon as one ends", async () => {
    const { begun, end, done } = scene({ batch: inTurn(["a1", "a2", "a3", "a4"]) })
    await settled()
    expect(begun).toEqual(["a1", "a2"])
    await end("a2")
    expect(begun).toEqual(["a1", "a2", "a3"])
    await end("a1", "a3")
    await end("a4")
    expect(await done).toMatchObject({ left: [] })
  })

  it("asks for more before the last is begun, so that nothing stands idle", async () => {
    const { begun, end, asked, done } = scene({
      batch: inTurn(["a1", "a2", "a3", "a4", "a5"], ["a6"]),
    })
    await settled()
    expect(asked).toEqual([""])
    await end("a1", "a2")
    expect(begun).toEqual(["a1", "a2", "a3", "a4"])
    expect(asked).toEqual(["", ""])
    await end("a3", "a4")
    expect(begun).toEqual(["a1", "a2", "a3", "a4", "a5", "a6"])
    await end("a5", "a6")
    expect(await done).toMatchObject({ left: [] })
  })

  it("does not ask again once there was no more", async () => {
    const { end, asked, done } = scene({
      atOnce: 4,
      batch: inTurn(["a1", "a2", "a3"], [], ["a4"]),
    })
    await settled()
    expect(asked).toHaveLength(2)
    await end("a1", "a2", "a3")
    await done
    expect(asked).toHaveLength(2)
  })

  it("begins what came of a thing as one of its own group", async () => {
    const { begun, end, add, done } = scene({ atOnce: 1, batch: inTurn(["a1"]) })
    await settled()
    add("a1", "b1")
    add("a1", "b2")
    await end("a1")
    expect(begun).toEqual(["a1", "b1"])
    await end("b1")
    await end("b2")
    expect(await done).toMatchObject({ left: [] })
  })

  it("begins nothing more after a failure, waits for what is under way, and tells what is left", async () => {
    const { begun, end, fail, done } = scene({ batch: inTurn(["a1", "a2", "a3", "a4"]) })
    await settled()
    await fail("a1")
    expect(begun).toEqual(["a1", "a2"])
    const isOver = jest.fn()
    void done.then(isOver)
    await settled()
    expect(isOver).not.toHaveBeenCalled()
    await end("a2")
    expect(await done).toMatchObject({
      left: ["a3", "a4"],
      failure: { error: new Error("a1 failed") },
    })
  })

  it("takes a failure to get more for its end, too", async () => {
    const { done } = scene({
      batch: () => {
        throw new Error("away")
      },
    })
    expect(await done).toMatchObject({ left: [], failure: { error: new Error("away") } })
  })
})

describe("[P24] groups", () => {
  it("take no place of another", async () => {
    const { begun, end, done } = scene({ batch: inTurn(["a1", "a2", "a3", "b1"]) })
    await settled()
    expect(begun).toEqual(["a1", "a2", "b1"])
    await end("a1", "a2", "b1")
    await end("a3")
    await done
  })

  it("whose places are taken by what earlier runs left behind are gone round", async () => {
    const places = limited(2)
    const free = [places.take("a"), places.take("a")]
    const rest = { a: ["a1", "a2", "a3"], b: ["b1", "b2"] }
    const { begun, asked, end, done } = scene({
      places,
      batch: (busy) => (busy.includes("a") ? rest.b.splice(0) : rest.a.splice(0)),
    })
    await settled()
    expect(asked).toEqual(["a"])
    expect(begun).toEqual(["b1", "b2"])
    // One of those left behind has ended, in another run.
    free[0]?.()
    await settled()
    expect(asked).toEqual(["a", "", "a"])
    expect(begun).toEqual(["b1", "b2", "a1"])
    await end("b1", "b2", "a1")
    // The last of them is not waited for: what has no place is for the next run.
    await end("a2")
    await end("a3")
    expect(await done).toMatchObject({ left: [] })
  })

  it("give back what has no place when there is nothing else to wait for", async () => {
    const places = limited(1)
    const { done, end } = scene({ places, batch: inTurn(["a1", "b1"]) })
    await settled()
    places.take("a")
    await end("a1", "b1")
    expect(await done).toMatchObject({ left: [] })
  })
})

describe("leaving behind", () => {
  it("does not wait for what is slow, and says when that is over", async () => {
    const clock = drivenClock()
    const { begun, done, end, places } = scene({
      batch: inTurn(["a1", "a2", "b1"]),
      leave: { clock, afterMs: 1_000 },
    })
    await settled()
    await end("a1")
    await clock.pass(1_000)
    const { left, rest } = await done
    expect([left, places.taken("a"), places.taken("b")]).toEqual([[], 1, 1])
    const isOver = jest.fn()
    void rest.then(isOver)
    await end("a2")
    expect(isOver).not.toHaveBeenCalled()
    await end("b1")
    expect(isOver).toHaveBeenCalled()
    expect([begun, places.taken("a")]).toEqual([["a1", "a2", "b1"], 0])
  })

  it("tells what was not begun, and begins none of it later", async () => {
    const clock = drivenClock()
    const { begun, done, end } = scene({
      batch: inTurn(["a1", "a2", "a3", "a4"]),
      leave: { clock, afterMs: 1_000 },
    })
    await settled()
    await clock.pass(1_000)
    expect(await done).toMatchObject({ left: ["a3", "a4"] })
    await end("a1", "a2")
    expect(begun).toEqual(["a1", "a2"])
  })

  it("[M05] a group that has too many without an answer begins no more until one is there", () => {
    const own = underWay({ monotonicMs: () => 0 })
    const answered = Array.from({ length: LIMITS.unansweredMax }, (_, made) =>
      own.leave("medusa", { operation: { id: `mpop_${made}` } } as never),
    )
    expect([own.isFree("medusa"), own.isFree("mpacc_env")]).toEqual([false, true])
    answered[0]?.()
    expect(own.isFree("medusa")).toBe(true)
    expect(own.unanswered()).toHaveLength(LIMITS.unansweredMax - 1)
  })
})
