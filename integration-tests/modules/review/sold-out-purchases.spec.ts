/**
 * Money whose cart is sold out by now: accepting it is offered, and taken, once there is stock. The
 * flows over a real ledger and the simulator.
 */
import { decisionFactsOf } from "../../../src/review/decision-facts"
import { resolveOperation } from "../../../src/review/resolve"
import { choicesOf } from "../../../src/review/rules/choices"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useLateMoney } from "../../support/late-money"

const { harness, reread, checkAfter, failed } = useLateMoney()

it("money whose cart is sold out is offered to be accepted, and accepted, only with stock", async () => {
  const { cart, operation } = await failed("decline_then_approve")
  expect(await checkAfter(operation, 2 * MINUTE)).toMatchObject({ state: "review" })
  const accept = () =>
    codeOf(
      resolveOperation(harness.deps, {
        operationId: operation.id,
        action: "accept",
        note: "The customer wants it.",
        adminId: "ada",
      }),
    )
  const whyNot = async () => {
    const now = await reread(operation)
    const choices = choicesOf(now, await decisionFactsOf(harness.deps, now))
    return choices.find(({ action }) => action === "accept")?.whyNot
  }
  harness.of(cart.collectionId).missing = ["stock"]
  expect([await whyNot(), await accept()]).toEqual(["out_of_stock", "cannot_be_settled"])
  expect((await reread(operation)).state).toBe("review")

  harness.of(cart.collectionId).missing = []
  expect([await whyNot(), await accept()]).toEqual([null, "none"])
  expect((await checkAfter(operation, SECOND)).recordedAt).not.toBeNull()
})
