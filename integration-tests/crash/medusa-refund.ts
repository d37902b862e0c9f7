/**
 * Medusa's refund in the process that asked for it, as its workflow has it: the row, then the
 * provider, then what follows from a yes. The tables are the referee's and outlive the process;
 * whatever dies in between leaves them as they are.
 */
import type { Host } from "../../src/engine/host"
import type { Cart } from "../support/host-in-memory"
import { closeHostRefund, openHostRefund } from "../support/host-refunds-in-memory"
import { writeHostRefund } from "../support/refund-records-in-memory"

/** What a process writes into Medusa's tables on the way. */
export type RefundWriting = {
  /** @returns the id of the row */
  openRefund(amount: string, createdBy: string): Promise<string>
  writeRefund(rowId: string): Promise<void>
  closeRefund(rowId: string): Promise<void>
}

export function refundWritingOf(cart: Cart): RefundWriting {
  return {
    openRefund: async (amount, createdBy) => openHostRefund(cart, amount, createdBy),
    writeRefund: async (rowId) => writeHostRefund(cart, rowId),
    closeRefund: async (rowId) => closeHostRefund(cart, rowId, true),
  }
}

/** The host, but Medusa's refund is made here, and not in the referee's process. */
export function refundingHere<Given extends Host & RefundWriting>(
  host: Given,
  provider: (rowId: string) => Promise<void>,
): Given {
  const makeRefund: Host["makeRefund"] = async ({ amount, createdBy, isByWorkflow }) => {
    const row = await host.openRefund(amount, createdBy)
    try {
      await provider(row)
    } catch (error) {
      await host.closeRefund(row)
      throw error
    }
    // Else the job writes what follows from the row.
    if (isByWorkflow) await host.writeRefund(row)
  }
  return Object.assign(Object.create(host) as Given, { makeRefund })
}
