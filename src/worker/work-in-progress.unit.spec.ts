import { LIMITS } from "../core/limits"
import { workInProgress } from "./work-in-progress"

/** A clock whose sleeps end when the test ends them. */
function scene() {
  const sleeps: { ms: number; over(): void; isAborted: boolean }[] = []
  const work = workInProgress({
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleep = { ms, over: resolve, isAborted: false }
        sleeps.push(sleep)
        signal?.addEventListener("abort", () => {
          sleep.isAborted = true
          reject(new Error("aborted"))
        })
      }),
  })
  return { work, sleeps }
}

describe("[P13] the end of the work of an application", () => {
  it("is signalled to running work, and comes when that is over", async () => {
    const { work, sleeps } = scene()
    let finish = () => {}
    let signalOfEnd: AbortSignal | undefined
    const running = work.run((signal) => {
      signalOfEnd = signal
      return new Promise((resolve) => (finish = resolve))
    })
    expect(signalOfEnd?.aborted).toBe(false)
    const isEnded = jest.fn()
    const ended = work.end().then(isEnded)
    expect(signalOfEnd?.aborted).toBe(true)
    await Promise.resolve()
    expect(isEnded).not.toHaveBeenCalled()
    finish()
    await Promise.all([running, ended])
    // No timer is left that would keep the process alive.
    expect(sleeps).toEqual([
      { ms: LIMITS.endWithinMs, over: expect.any(Function), isAborted: true },
    ])
  })

  it("comes after a while even so", async () => {
    const { work, sleeps } = scene()
    void work.run(() => new Promise(() => {}))
    const ended = work.end()
    sleeps[0]?.over()
    await ended
    expect(LIMITS.endWithinMs).toBeLessThan(10_000)
  })

  it("lets nothing more begin", async () => {
    const { work } = scene()
    await work.end()
    const begun = jest.fn()
    await work.run(begun)
    expect(begun).not.toHaveBeenCalled()
  })

  it("is not held up by work that fails", async () => {
    const { work } = scene()
    const failed = work.run(() => Promise.reject(new Error("no")))
    await expect(failed).rejects.toThrow("no")
    await work.end()
  })
})

describe("[P25] work that no job waits for", () => {
  it("is begun once at a time by its name, and is waited for at the end", async () => {
    const { work } = scene()
    const begun: string[] = []
    const ends: (() => void)[] = []
    const task = (name: string) =>
      work.begin(name, () => {
        begun.push(name)
        return new Promise((resolve) => ends.push(resolve))
      })
    task("sweep")
    task("sweep")
    task("retain")
    expect(begun).toEqual(["sweep", "retain"])
    ends[0]?.()
    await new Promise(setImmediate)
    task("sweep")
    expect(begun).toEqual(["sweep", "retain", "sweep"])
    const isEnded = jest.fn()
    const ended = work.end().then(isEnded)
    ends[1]?.()
    await new Promise(setImmediate)
    expect(isEnded).not.toHaveBeenCalled()
    ends[2]?.()
    await ended
    task("sweep")
    expect(begun).toHaveLength(3)
  })

  it("may be what a job has left behind", async () => {
    const { work } = scene()
    let finish = () => {}
    work.follow(new Promise((resolve) => (finish = resolve)))
    const isEnded = jest.fn()
    const ended = work.end().then(isEnded)
    await new Promise(setImmediate)
    expect(isEnded).not.toHaveBeenCalled()
    finish()
    await ended
  })
})
