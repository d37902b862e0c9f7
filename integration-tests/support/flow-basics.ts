import { keyedDigest } from "../../src/medusa/secrets/keyed-digest"
import type { FlowDeps } from "../../src/engine/deps"
import { everybody } from "./everybody"
import { testBox } from "./test-box"

/** What flows are given where a test asks about none of it: no budget runs out, no shopper waits. */
export const flowBasics = (): Pick<
  FlowDeps,
  "settings" | "budget" | "shopperLimit" | "box" | "digest" | "people"
> => ({
  settings: {
    storefrontOrigins: ["http://localhost:4100"],
    publicUrl: "http://localhost:4101",
  },
  budget: { take: () => Promise.resolve(), pause: () => {}, isPaused: () => false },
  shopperLimit: { take: () => Promise.resolve(0), uncount: () => Promise.resolve() },
  box: testBox,
  digest: keyedDigest({}),
  people: everybody,
})
