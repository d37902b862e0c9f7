/** The calls that invoices and orders have in common, each ready to be carried out. */
import { USD, price, counterpartyId, drafted, collected } from "./gateway-fixture"
import type { Harness, Run, Operation, Kind } from "./gateway-fixture"

type DocumentOperation<K extends Kind> = Extract<Operation, `${K}.${string}`>

export function documentScenes<K extends Kind>(
  kind: K,
): Record<DocumentOperation<K>, (harness: Harness) => Promise<Run>>
export function documentScenes(kind: Kind): Record<string, (harness: Harness) => Promise<Run>> {
  const withDraft =
    (run: (harness: Harness, draft: { id: number; itemId: number; number: string }) => Run) =>
    async (harness: Harness) =>
      run(harness, await drafted(harness, kind))
  return {
    [`${kind}.create`]: async (harness) => {
      const request = {
        counterpartyId: await counterpartyId(harness),
        currency: USD,
        note: "",
        feeBearer: "PAYER",
        asPaymentLink: false,
      } as const
      return (how) => harness.gateway[kind].create(request, how)
    },
    [`${kind}.list`]: withDraft(
      ({ gateway }) =>
        (how) =>
          gateway[kind].list({}, how),
    ),
    [`${kind}.retrieve`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].retrieve(id, how),
    ),
    [`${kind}.retrieveByNumber`]: withDraft(
      ({ gateway }, { number }) =>
        (how) =>
          gateway[kind].retrieveByNumber(number, how),
    ),
    [`${kind}.update`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].update(id, { note: "changed" }, how),
    ),
    [`${kind}.publish`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].publish(id, how),
    ),
    [`${kind}.cancel`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].cancel(id, how),
    ),
    [`${kind}.items.add`]: withDraft(
      ({ gateway }, { id }) =>
        (how) =>
          gateway[kind].items.add(id, { name: "Mug", qty: 1, amount: price("5.00") }, how),
    ),
    [`${kind}.items.update`]: withDraft(
      ({ gateway }, { id, itemId }) =>
        (how) =>
          gateway[kind].items.update(id, itemId, { qty: 3 }, how),
    ),
    [`${kind}.items.remove`]: withDraft(
      ({ gateway }, { id, itemId }) =>
        (how) =>
          gateway[kind].items.remove(id, itemId, how),
    ),
    [`${kind}.receipt`]: async (harness) => {
      const { document } = await collected(harness, kind)
      return (how) => harness.gateway[kind].receipt(document.id, how)
    },
    [`${kind}.receiptByNumber`]: async (harness) => {
      const { document } = await collected(harness, kind)
      return (how) => harness.gateway[kind].receiptByNumber(document.number, how)
    },
  }
}
