import type { Database } from "./database"

/** The worker has ended: it does not count as one that is there. */
export async function forgetWorker(database: Database, worker: string): Promise<void> {
  await database.query(`delete from mp_worker where id = $1`, [worker])
}
