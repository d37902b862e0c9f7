/** Regions that a suite may change, though others use the same store. */
import { randomUUID } from "node:crypto"
import type { Harness } from "./harness"
import { expectOk } from "./shop"

/** One in which nobody buys: to take its providers away ends no checkout. @returns its id */
export async function unusedRegion({ admin }: Pick<Harness, "admin">): Promise<string> {
  const { region } = await expectOk(
    admin.call<{ region: { id: string } }>("POST", "/admin/regions", {
      name: `Unused ${randomUUID()}`,
      currency_code: "usd",
    }),
  )
  return region.id
}
