/**
 * Medusa's refund in the process that asked for it, as its workflow has it: the row, then the
 * provider, then what follows from a yes. The tables are the referee's and outlive the process;
 * whatever dies in between leaves them as they are.
 */
import type { MedusaPort } from "../../src/engine/medusa-port"
import type { Cart } from "../support/medusa-in-memory"
import {
  closeMedusaRefund,
  openMedusaRefund,
  writeMedusaRefund,
} from "../support/medusa-refunds-in-memory"

/** What a process writes into Medusa's tables on the way. */
export type RefundWriting = {
  /** @returns the id of the row */
  openRefund(amount: string, createdBy: string): Promise<string>
  writeRefund(rowId: string): Promise<void>
  closeRefund(rowId: string): Promise<void>
}

export function refundWritingOf(cart: Cart): RefundWriting {
  return {
    openRefund: async (amount, createdBy) => openMedusaRefund(cart, amount, createdBy),
    writeRefund: async (rowId) => writeMedusaRefund(cart, rowId),
    closeRefund: async (rowId) => closeMedusaRefund(cart, rowId, true),
  }
}

/** Medusa, but its refund is made here, and not in the referee's process. */
export function refundingHere<Given extends MedusaPort & RefundWriting>(
  medusa: Given,
  provider: (rowId: string) => Promise<void>,
): Given {
  const makeRefund: MedusaPort["makeRefund"] = async ({ amount, createdBy, isByWorkflow }) => {
    const row = await medusa.openRefund(amount, createdBy)
    try {
      await provider(row)
    } catch (error) {
      await medusa.closeRefund(row)
      throw error
    }
    // Else the job writes what follows from the row.
    if (isByWorkflow) await medusa.writeRefund(row)
  }
  return Object.assign(Object.create(medusa) as Given, { makeRefund })
}
