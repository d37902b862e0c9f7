import { isKnown, LAST_RELEASE } from "../../../scripts/old-version.cjs"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { pickerOf } from "./picks"
import { machinesOf, Processes } from "./processes"
import { accountsByRelease, TODAY } from "./release"
import { TurnTaking } from "./turn-taking"

const EMPTY = { database: { query: () => Promise.resolve([]) } }
const aheadMs = { shop: 0, A: 0, B: 0 }

async function processesWith(lastRelease: "A" | null): Promise<Processes> {
  const setting = { aheadMs, lastRelease }
  const releases = await accountsByRelease(EMPTY, setting)
  const machines = machinesOf(setting, releases, () => ({}) as Gateway)
  return new Processes(new TurnTaking(pickerOf("")), machines, [], () => ({}) as FlowDeps)
}

const runsOf = ({ machines }: Processes) =>
  (["shop", "A", "B"] as const).map((kind) => machines[kind].runs.release === TODAY)

/** Whether what is launched on this worker's machine is the flow of this version. */
function isOfToday(processes: Processes, worker: "A" | "B"): Promise<boolean> {
  return new Promise((resolve) => {
    processes.launch(processes.begin(worker), (_, { checkDueOperations }) => {
      resolve(checkDueOperations === TODAY.checkDueOperations)
      return Promise.resolve()
    })
  })
}

describe("The release that a worker's machine runs", () => {
  it("is this version where no other is drawn", async () => {
    expect(runsOf(await processesWith(null))).toEqual([true, true, true])
  })

  // A shallow clone lacks the commit, and plays this version.
  const itHasCommit = isKnown(LAST_RELEASE) ? it : it.skip

  itHasCommit("is the last one on the drawn machine alone, until it is upgraded", async () => {
    const processes = await processesWith("A")
    expect(runsOf(processes)).toEqual([true, false, true])
    expect(await isOfToday(processes, "A")).toBe(false)
    expect(await isOfToday(processes, "B")).toBe(true)
    processes.upgrade()
    expect(runsOf(processes)).toEqual([true, true, true])
    expect(await isOfToday(processes, "A")).toBe(true)
    expect(processes.ofLastRelease).toBe(1)
  })
})
