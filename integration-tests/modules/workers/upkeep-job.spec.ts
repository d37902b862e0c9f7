/** A pass of the minute's job: three tasks, of which none waits for another. */
import { upkeepJob } from "../../../src/medusa/passes/upkeep"
import { startLedgerDatabase } from "../../support/ledger-database"
import { until } from "../../support/until"
import { workerContainer } from "../../support/worker-container"

it("[P25] a gateway that keeps the sweep waiting delays neither the job nor its other tasks", async () => {
  const ledger = await startLedgerDatabase()
  let calls = 0
  const store = await workerContainer(ledger, () => void (calls += 1))
  const done = async () =>
    (await ledger.sql("select name from mp_task where lease_token is null")).map(({ name }) => name)
  try {
    await upkeepJob.run(store.container)
    await until(async () => calls > 0, "the gateway is asked")
    await until(async () => (await done()).includes("retain"), "what needs no gateway is done")
    // A minute later the job runs again; what is under way isn't begun a second time.
    await upkeepJob.run(store.container)
    const [sweep] = await ledger.sql(
      "select lease_until > now() as held from mp_task where name = 'sweep'",
    )
    expect(sweep).toEqual({ held: true })
  } finally {
    await store.stop()
    await ledger.stop()
  }
})
