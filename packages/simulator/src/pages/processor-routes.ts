/** Where a shop's page sends a shopper to authenticate a card. */
import type { FastifyInstance } from "fastify"
import { z } from "zod"

import { decimalText } from "../money"
import { answerChallenge, challengeOf, isChallenged } from "../rules/cards"
import { NoPrompt } from "../rules/handset"
import type { World } from "../world"
import { HTML_HEADERS } from "./html"
import { shownAmount } from "./layout"
import { challengeEndPage, challengePage } from "./processor-page"

/** A shop of any origin shows it in a frame. */
const HEADERS = {
  ...HTML_HEADERS,
  "content-security-policy": HTML_HEADERS["content-security-policy"].replace(
    "frame-ancestors 'none'",
    "frame-ancestors *",
  ),
}

const Query = z.object({ client_secret: z.string() })
const Answer = Query.extend({ answer: z.enum(["pass", "refuse"]) })

export function openProcessor(app: FastifyInstance, world: World): void {
  app.get("/processor/authenticate", ({ query }, reply) => {
    const { client_secret: secret } = Query.parse(query)
    const execution = challengeOf(world, { clientSecret: secret })
    if (!execution || !isChallenged(world, execution)) {
      return reply.headers(HEADERS).send(challengeEndPage("over"))
    }
    const { payerMinor: minor, payerCurrency: currency, ownerId } = execution
    const merchant = world.settings.merchants.find((one) => one.ownerId === ownerId)
    const challenge = {
      secret,
      merchantName: merchant?.name ?? "A merchant",
      charge: shownAmount(decimalText({ minor, currency }), currency),
    }
    return reply.headers(HEADERS).send(challengePage(challenge))
  })

  app.post("/processor/authenticate", ({ body }, reply) => {
    const { client_secret: clientSecret, answer } = Answer.parse(body)
    try {
      answerChallenge(world, { clientSecret }, answer === "pass")
    } catch (error) {
      // Another tab has answered, or the bank has waited long enough.
      if (!(error instanceof NoPrompt)) throw error
      return reply.headers(HEADERS).send(challengeEndPage("over"))
    }
    return reply.headers(HEADERS).send(challengeEndPage(answer === "pass" ? "passed" : "refused"))
  })
}
