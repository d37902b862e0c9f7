/**
 * Whom a source is made out to: the shopper as a party, and as a customer of the merchant (a
 * counterparty). Each is made once and its id kept, so that the merchant's contacts have each
 * shopper once. Neither can take money: if the answer to making one is lost, an unused record is
 * left.
 *
 * Only ids are kept, and an id may stand for another shopper by now (another number, a changed base
 * address). So a kept party is read before it is used, and must have the number given now. The ids
 * are kept under the number as well, for a gateway that makes no second party of one number.
 */
import type { CounterpartyId, PartyId } from "../../core/ids"
import { refusal } from "../../core/refusal"
import { saysKnownAlready } from "../../core/said/refused-words"
import { Invalid, NotFound, type Failure, type PartyRecord } from "../../gateway"
import type { FlowDeps } from "../../engine/deps"
import type { StartContext } from "../context"
import type { Instructions } from "../offer/read-instructions"
import { mayBeThere, numberOf } from "../push/open-push"
import {
  findParty,
  forgetParty,
  keepCounterparty,
  keepParty,
  type KeptParty,
  type Shopper,
} from "../sql/parties"
import { findPayers, keepPayer } from "../sql/payers"
import { startRefusalOf, type StartRefusal } from "../start-refusal"

type BilledParty = {
  readonly partyId: PartyId
  readonly counterpartyId: CounterpartyId
  /** The row of a party that was kept before; undefined for a party that was made now. */
  readonly fromBefore: KeptParty | undefined
}

/** @returns the shopper's party and counterparty, kept ones where there are any; or why not */
export async function billedParty(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
): Promise<BilledParty | StartRefusal> {
  const shopper = shopperOf(context)
  const fromBefore = shopper && (await findKeptParty(deps, context, shopper, instructions))
  if (fromBefore && "refusal" in fromBefore) return fromBefore
  const party = fromBefore ?? (await makeParty(deps, context, shopper, instructions))
  if ("refusal" in party) return party
  const { partyId } = party
  if (party.counterpartyId !== null) {
    return { partyId, counterpartyId: party.counterpartyId, fromBefore }
  }
  const linked = await linkParty(deps, context, partyId, instructions)
  if (typeof linked !== "number") {
    await forgetUnknownParty(deps, fromBefore, linked)
    return startRefusalOf(linked)
  }
  const kept = "id" in party ? await keepCounterparty(deps.database, party, linked) : null
  return { partyId, counterpartyId: kept?.counterpartyId ?? linked, fromBefore }
}

/** @returns the id of a new counterparty, or of the one that exists already; or what failed */
async function linkParty(
  deps: FlowDeps,
  context: StartContext,
  partyId: PartyId,
  instructions: Instructions,
): Promise<CounterpartyId | Failure> {
  const made = await context.gateway.counterparties.create(
    { relationshipType: "CUSTOMER", partyId },
    context.callOptions(),
  )
  const number = numberOf(deps, context, instructions)
  if (made.kind === "done") {
    await keepPayer(deps.database, number, { partyId, counterpartyId: made.value.id })
    return made.value.id
  }
  if (!mayBeThere(made)) return made
  const payers = await findPayers(deps.database, number)
  const kept = payers.find((payer) => payer.partyId === partyId)?.counterpartyId
  return kept ?? existingIn(made)?.counterpartyId ?? made
}

/** The existing record, where the gateway's refusal names it. */
function existingIn({ error }: Failure): Failure["error"]["existing"] {
  return saysKnownAlready(error) ? error.existing : undefined
}

/** @returns the kept party if it is still this shopper's; a party of another is forgotten */
async function findKeptParty(
  deps: FlowDeps,
  context: StartContext,
  shopper: Shopper,
  instructions: Instructions,
): Promise<KeptParty | StartRefusal | undefined> {
  const kept = await findParty(deps.database, shopper)
  const isTheirs = kept && (await isOfShopper(context, kept, instructions))
  if (typeof isTheirs === "object") return isTheirs
  if (kept && !isTheirs) await forgetParty(deps.database, kept)
  return isTheirs ? kept : undefined
}

/** @returns whether the gateway has both ids together, under the number that is given now */
async function isOfShopper(
  context: StartContext,
  { partyId, counterpartyId }: Omit<KeptParty, "id">,
  { phone }: Instructions,
): Promise<boolean | StartRefusal> {
  const { parties, counterparties } = context.gateway
  const read =
    counterpartyId === null
      ? await parties.retrieve(partyId, context.callOptions())
      : await counterparties.retrieve(counterpartyId, context.callOptions())
  if (read.kind !== "done") {
    const isUnknown = read.error instanceof NotFound || read.error instanceof Invalid
    return isUnknown ? false : startRefusalOf(read)
  }
  const party: PartyRecord | undefined = "fullname" in read.value ? read.value : read.value.party
  return party?.id === partyId && party.phone?.replace(/\D/g, "") === phone.digits
}

type MadeParty = KeptParty | { readonly partyId: PartyId; readonly counterpartyId: null }

async function makeParty(
  deps: FlowDeps,
  context: StartContext,
  shopper: Shopper | undefined,
  instructions: Instructions,
): Promise<MadeParty | StartRefusal> {
  const { phone, name, email } = instructions
  const made = await context.gateway.parties.create(
    {
      fullname: name ?? `Customer ...${phone.hint}`,
      phone: phone.digits,
      email: email ?? undefined,
      countryCode: phone.country,
    },
    context.callOptions(),
  )
  const partyId =
    made.kind === "done" ? made.value.id : await knownParty(deps, context, made, instructions)
  if (typeof partyId !== "number") return partyId
  const unkept = { partyId, counterpartyId: null }
  const kept = shopper && (await keepParty(deps.database, shopper, partyId))
  if (!kept || kept.partyId === partyId) return kept ?? unkept
  // Another request kept a party first. It is this shopper's too, unless its number is another.
  return (await isOfShopper(context, kept, instructions)) === true ? kept : unkept
}

/** If the gateway makes no second party of a number, the first serves while it has this number. */
async function knownParty(
  deps: FlowDeps,
  context: StartContext,
  refused: Failure,
  instructions: Instructions,
): Promise<PartyId | StartRefusal> {
  if (!mayBeThere(refused)) return startRefusalOf(refused)
  const [first] = await findPayers(deps.database, numberOf(deps, context, instructions))
  const partyId = first?.partyId ?? existingIn(refused)?.partyId
  if (partyId === undefined) {
    const isThere = refused.kind === "refused" && saysKnownAlready(refused.error)
    return isThere
      ? { refusal: refusal("gateway_refused.number_known"), isFinal: true }
      : startRefusalOf(refused)
  }
  const isTheirs = await isOfShopper(context, { partyId, counterpartyId: null }, instructions)
  return isTheirs === true ? partyId : startRefusalOf(refused)
}

/**
 * If the gateway knows no such party or counterparty, the credentials are another merchant's by
 * now. The kept ids are forgotten, so that the next ones are made for this merchant.
 *
 * @returns whether there was something to forget
 */
export async function forgetUnknownParty(
  deps: FlowDeps,
  kept: KeptParty | undefined,
  { kind, error }: Failure,
): Promise<boolean> {
  const isAboutParty = error.fields?.some(({ path }) => /party/.test(path)) ?? true
  const isUnknown = error instanceof NotFound || (error instanceof Invalid && isAboutParty)
  if (!kept || kind !== "refused" || !isUnknown) return false
  await forgetParty(deps.database, kept)
  return true
}

/**
 * Guests share no record, not even by their e-mail, because anyone can type it. So a guest is known
 * by the cart alone.
 */
function shopperOf({ payable, account }: StartContext): Shopper | undefined {
  const { registeredCustomerId: customerId, cartId } = payable
  const { id: accountId } = account
  if (customerId !== null) return { accountId, customerId, cartId: null }
  return cartId === null ? undefined : { accountId, customerId: null, cartId }
}
