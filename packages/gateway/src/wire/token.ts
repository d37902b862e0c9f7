/** `jwt/client/obtain/token` (contract, 1). Only `token.ts` sees the answer, which is a secret. */
import { z } from "zod"
import * as field from "./fields"
import { reader } from "./reading"

export type TokenResponse = {
  readonly accessToken: string
  /** The token's minutes as the gateway wrote them; `token.ts` checks that they make sense. */
  readonly expiresInMinutes: number | undefined
}

const answerSchema = z.object({
  access_token: field.secret,
  expires_in: field.optionalPrivate,
})

export const readToken = reader<typeof answerSchema, undefined, TokenResponse>(
  answerSchema,
  ({ accessToken, expiresIn }) => {
    const lifetime = Number(expiresIn)
    return { accessToken, expiresInMinutes: Number.isFinite(lifetime) ? lifetime : undefined }
  },
)
