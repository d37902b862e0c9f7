/**
 * Money whose cart is sold out by now: accepting it is possible once there is stock, and until then
 * the page names what is sold out. The flows over a real ledger and the simulator.
 */
import { readOperation } from "../../../src/review/read-operations"
import { resolveOperation } from "../../../src/review/resolve"
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
  const offered = async () => {
    const { decision } = await readOperation(harness.deps, operation.id)
    return decision?.choices.find(({ action }) => action === "accept")
  }
  harness.of(cart.collectionId).missing = ["stock"]
  expect(await offered()).toMatchObject({
    disabled: { code: "out_of_stock", facts: { items: "1 × T-shirt" } },
  })
  expect(await accept()).toBe("cannot_be_settled")
  expect((await reread(operation)).state).toBe("review")

  harness.of(cart.collectionId).missing = []
  expect((await offered())?.disabled).toBeNull()
  expect(await accept()).toBe("none")
  expect((await checkAfter(operation, SECOND)).recordedAt).not.toBeNull()
})
