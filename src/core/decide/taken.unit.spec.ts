import { money } from "../../../integration-tests/support/an-operation"
import { takenOf } from "./decision"

const ASKED = money(560_112)
const READS = money(560_212)

describe("what was taken, where the paid source reads another total than was asked for", () => {
  it.each([
    [
      "[B38] the payer bears the fees, and what was asked for was billed",
      571_314,
      560_112,
      560_112,
    ],
    ["[B38] the shop bears them, and what was asked for was billed", 560_112, 548_910, 560_112],
    [
      "[B38] fees of just the difference: the lesser, which can surely go back",
      560_212,
      560_112,
      560_112,
    ],
    ["the payer bears the fees, and what the source reads was billed", 571_416, 560_212, 560_212],
    ["the shop bears them, and what the source reads was billed", 560_212, 549_008, 560_212],
    ["neither has either amount: no more than the payer paid", 560_150, 549_000, 560_150],
    [
      "neither has either amount, and more was paid: what the source reads",
      600_000,
      561_000,
      560_212,
    ],
  ])("%s", (_what, payer, payee, taken) => {
    expect(takenOf(ASKED, READS, [money(payer), money(payee)])).toEqual(money(taken))
  })

  it("without sides, or with those of another currency, is what the source reads", () => {
    expect(takenOf(ASKED, READS, [undefined, undefined])).toEqual(READS)
    expect(takenOf(ASKED, READS, [money(560_112, "LRD"), undefined])).toEqual(READS)
    expect(takenOf(ASKED, money(560_112, "LRD"), [ASKED, ASKED])).toEqual(money(560_112, "LRD"))
  })

  it("with equal totals is that, whatever the sides say", () => {
    expect(takenOf(ASKED, ASKED, [money(1), money(1)])).toEqual(ASKED)
  })
})
