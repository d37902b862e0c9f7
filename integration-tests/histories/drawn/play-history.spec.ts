import { asTest, playHistory, type Played } from "./play-history"
import type { Verdict } from "./play"
import { runHistories } from "./run-histories"

const HISTORIES = 3
const SEED = 5

describe("A history as a test to be pasted", () => {
  it("plays what was drawn, with the same interleaving to the same end", async () => {
    const drawn: [string, Verdict][] = []
    await runHistories({
      count: HISTORIES,
      seed: SEED,
      shrinkForMs: 0,
      onVerdict: (verdict, _index, played) => drawn.push([asTest(played, "as drawn"), verdict]),
    })
    expect(drawn).toHaveLength(HISTORIES)
    // Each on a ledger of its own: what was drawn before it is no matter.
    for (const [text, verdict] of drawn) expect(await pasted(text)).toEqual(verdict)
  })
})

/** What a pasted test plays; of a spec it needs no more than these names. */
async function pasted(text: string): Promise<Verdict | undefined> {
  let verdict: Verdict | undefined
  let body: Promise<void> | undefined
  const names = {
    it: (_title: string, test: () => Promise<void>) => void (body = test()),
    expect: () => ({ toEqual: () => {} }),
    async playHistory(played: Played) {
      verdict = await playHistory(played)
      return verdict
    },
  }
  // That the printed text runs is what is tested, and it is text of our own.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  new Function(...Object.keys(names), text)(...Object.values(names))
  await body
  return verdict
}
