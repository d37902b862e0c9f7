/**
 * What the merchant's browser loads of this plugin with the admin, wherever in it somebody begins,
 * after gzip; and apart from it what some pages load when they are opened. Beside it Medusa's own
 * plugin for draft orders, bundled the same way: both without what the dashboard has anyway.
 */
import path from "node:path"
import type { Benchmark, Figure } from "../figure"
import { adminBundleOf } from "../support/admin-bundle"
import type { ClientFixture } from "../support/client-fixture"

const LIMIT_KB = 150
const BESIDE = "@medusajs/draft-order"

export const adminBundle: Benchmark = { name: "admin_bundle_kb", on: "client", run: measure }

async function measure({ root }: ClientFixture): Promise<Figure> {
  const own = await adminBundleOf(root)
  const beside = await adminBundleOf(path.dirname(require.resolve(`${BESIDE}/package.json`)))
  return {
    value: own.startBytes / 1_000,
    unit: "kB",
    better: "lower",
    against: `a limit, and the admin of ${BESIDE}, bundled the same way`,
    limit: LIMIT_KB,
    samples: 1,
    on_demand_kb: own.onDemandBytes / 1_000,
    chunks: own.chunks,
    draft_order_kb: beside.startBytes / 1_000,
    over_draft_order: own.startBytes / beside.startBytes,
  }
}
