import type { Call, CallOptions } from "../call"
import type { Outcome } from "../outcome"
import { createParty, listParties, retrieveParty } from "../wire/parties"
import type { CreatePartyRequest, ListPartiesRequest, Party } from "../wire/parties"

/** The merchant's contacts: who pays and who is paid (specification, "What the service does"). */
export type Parties = {
  /**
   * Makes a contact. No idempotency key: a repeat makes a second one, so after `unknown` list the
   * parties by name first. `checkouts.create` makes or matches the party by itself (specification,
   * "What the service does" and "Errors"; contract, 2b and 7).
   */
  create(request: CreatePartyRequest, options?: CallOptions): Promise<Outcome<Party>>
  /** All contacts at once, or those whose name holds a text; there are no pages (contract, 17). */
  list(filter?: ListPartiesRequest, options?: CallOptions): Promise<Outcome<readonly Party[]>>
  /**
   * One contact. `NotFound`: there is none with this id, or it is another merchant's (contract, 6).
   */
  retrieve(id: number, options?: CallOptions): Promise<Outcome<Party>>
}

export const partiesOf = (call: Call): Parties => ({
  create: (request, options) => call(createParty, request, options),
  list: (filter = {}, options) => call(listParties, filter, options),
  retrieve: (id, options) => call(retrieveParty, { id }, options),
})
