/**
 * `POST notifications/test`. Medusa's build leaves folders called `test` out of the package, so the
 * last word of the route is a parameter; `test` is its only value.
 */
import { invalid } from "../../../../../core/refusal"
import { testNotification } from "../../../../../notifications/settings"
import type { TestResponse } from "../../../../../notifications/rules/responses"
import { parsed } from "../../../../validators"
import { notificationsRoute, testBody } from "../input"

/** Sends one message at once, and answers what the provider said of it. */
export const POST = notificationsRoute<TestResponse>((deps, request, adminId) => {
  if (request.params["action"] !== "test") throw invalid("action", "one_of", { expected: ["test"] })
  return testNotification(deps, adminId, parsed(testBody, request.body))
})
