import { isKnown, LAST_RELEASE } from "../../../scripts/old-version.cjs"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { Clients } from "./account-reads"
import { pickerOf } from "./picks"
import { machinesOf, Processes } from "./processes"
import { releasesOf, TODAY } from "./release"
import { TurnTaking } from "./turn-taking"

const aheadMs = { shop: 0, A: 0, B: 0 }

function processesWith(lastRelease: "A" | null): Processes {
  const setting = { aheadMs, lastRelease }
  const clientsOf = () => new Clients(() => ({}) as Gateway)
  const machines = machinesOf(setting, releasesOf(setting), clientsOf)
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
    expect(runsOf(processesWith(null))).toEqual([true, true, true])
  })

  // A shallow clone lacks the commit, and plays this version.
  const itHasCommit = isKnown(LAST_RELEASE) ? it : it.skip

  itHasCommit("is the last one on the drawn machine alone, until it is upgraded", async () => {
    const processes = processesWith("A")
    expect(runsOf(processes)).toEqual([true, false, true])
    expect(await isOfToday(processes, "A")).toBe(false)
    expect(await isOfToday(processes, "B")).toBe(true)
    processes.upgrade()
    expect(runsOf(processes)).toEqual([true, true, true])
    expect(await isOfToday(processes, "A")).toBe(true)
    expect(processes.ofLastRelease).toBe(1)
  })
})
