import type { Postgres } from "../../../demo/run/postgres.cjs"

export default async function globalTeardown(): Promise<void> {
  const { __TEST_POSTGRES__: postgres } = globalThis as { __TEST_POSTGRES__?: Postgres }
  await postgres?.stop()
}
