/** Open pages of the checkout kit, as many as a test wants, each with its own stream. */
import { createRequire } from "node:module"
import type * as Follow from "../../../packages/checkout/src/follow.js" with {
  "resolution-mode": "import",
}
import type * as KitStore from "../../../packages/checkout/src/store.js" with {
  "resolution-mode": "import",
}
import type { Harness } from "./harness"
import { until } from "../../support/until"

/** The kit is an ES module, which Jest compiles for this process. */
const load = createRequire(__filename)
const { follow } = load("../../../packages/checkout/src/follow") as typeof Follow
const { storeOf } = load("../../../packages/checkout/src/store") as typeof KitStore

export type KitPage = {
  /** Each state that the page was told, in order, or `no_answer`. */
  readonly told: readonly string[]
  leave(): void
}

/** Resolves once the page is told of its payment by an open stream. */
export async function openKitPage({ store }: Harness, sessionId: string): Promise<KitPage> {
  const told: string[] = []
  const kit = storeOf({ baseUrl: store.url, publishableKey: store.publishableKey })
  const leave = follow(kit, sessionId, (news) => {
    told.push(news.kind === "status" ? news.status.state : news.kind)
  })
  await until(async () => told.length > 0, "the page is told of its payment")
  return { told, leave }
}
