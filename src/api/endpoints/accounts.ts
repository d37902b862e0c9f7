/** The admin's routes about accounts, regions, fees, notifications and health. */
import {
  accountBody,
  accountChangeBody,
  accountDeletedResponse,
  accountEventsResponse,
  accountsResponse,
  changeRefusedResponse,
  oneAccountResponse,
} from "../../accounts/schemas/accounts"
import {
  feePredictionResponse,
  feesQuery,
  feesResponse,
  predictionQuery,
} from "../../accounts/schemas/fees"
import { connectionTestResponse, healthResponse } from "../../accounts/schemas/health"
import { enableBody, oneRegionResponse, regionsResponse } from "../../accounts/schemas/regions"
import type { AccountId, CredentialId } from "../../core/ids"
import {
  notificationsBody,
  notificationsResponse,
  testBody,
  testResponse,
} from "../../notifications/schemas/notifications"
import { MANAGE, READ } from "../../policies/merchant-payments"
import { segment, word, type AdminEndpoints } from "./endpoint"

const account = { id: segment<AccountId>("account_not_found") }
const region = { id: segment("region_not_found") }

export const ACCOUNTS = {
  "GET accounts": {
    does: "Lists the accounts, and the changes that wait for a second admin.",
    policy: MANAGE,
    response: accountsResponse,
  },
  "POST accounts": {
    does: "Makes an account. The client's secret comes in here, and no route returns it.",
    policy: MANAGE,
    body: accountBody,
    response: oneAccountResponse,
  },
  "GET accounts/:id": {
    does: "Reads one account.",
    policy: MANAGE,
    params: account,
    response: oneAccountResponse,
  },
  "POST accounts/:id": {
    does: "Changes an account. Fields that are left out keep their value, the secret included.",
    policy: MANAGE,
    params: account,
    body: accountChangeBody,
    response: oneAccountResponse,
  },
  "DELETE accounts/:id": {
    does: "Removes an account that no payment uses.",
    policy: MANAGE,
    params: account,
    response: accountDeletedResponse,
  },
  "GET accounts/:id/events": {
    does: "Lists who changed what of the account, newest first.",
    policy: MANAGE,
    params: account,
    response: accountEventsResponse,
  },
  "POST accounts/:id/:action": {
    does:
      "With the action `test`: tests the stored account with the unsaved fields of the body over " +
      "it, or with the id `new` an account that isn't saved yet. It writes nothing.",
    policy: MANAGE,
    params: { ...account, action: word("account_not_found", "test") },
    body: accountBody,
    response: connectionTestResponse,
  },
  "DELETE accounts/:id/credentials/:credential_id": {
    does: "Deletes a credential that the account no longer uses, with its secret.",
    policy: MANAGE,
    params: { ...account, credential_id: segment<CredentialId>("account_not_found") },
    response: accountDeletedResponse,
  },
  "DELETE account-changes/:id": {
    does: "Refuses a change that waits for a second admin, or withdraws it.",
    policy: MANAGE,
    params: { id: segment("account_not_found.change") },
    response: changeRefusedResponse,
  },
  "GET fees": {
    does: "Reads the gateway's rates of an account, by default of the default account.",
    policy: READ,
    query: feesQuery,
    response: feesResponse,
  },
  "GET fees/prediction": {
    does: "Predicts what the payer pays and what the merchant gets.",
    policy: READ,
    query: predictionQuery,
    response: feePredictionResponse,
  },
  "GET health": {
    does: "Reads the setup check. 503 when it is `down`, so that a monitor need not read JSON.",
    policy: MANAGE,
    response: healthResponse,
  },
  "GET regions": {
    does: "Lists the regions, and which of the plugin's providers they offer.",
    policy: MANAGE,
    response: regionsResponse,
  },
  "POST regions/:id/enable": {
    does: "Offers the plugin's payment providers in a region, and keeps its other ones.",
    policy: MANAGE,
    params: region,
    body: enableBody,
    response: oneRegionResponse,
  },
  "POST regions/:id/disable": {
    does: "Offers the plugin's payment providers in a region no more, and keeps its other ones.",
    policy: MANAGE,
    params: region,
    response: oneRegionResponse,
  },
  "GET notifications": {
    does: "Reads who is told what, and what could not be sent.",
    policy: MANAGE,
    response: notificationsResponse,
  },
  "POST notifications": {
    does: "Replaces the settings of notifications, which the body has in full.",
    policy: MANAGE,
    body: notificationsBody,
    response: notificationsResponse,
  },
  "POST notifications/:action": {
    does: "With the action `test`: sends one message at once, and answers what its provider said.",
    policy: MANAGE,
    params: { action: word("invalid_request", "test") },
    body: testBody,
    response: testResponse,
  },
} as const satisfies AdminEndpoints
