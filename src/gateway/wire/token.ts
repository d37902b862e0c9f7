/** `jwt/client/obtain/token` (contract, 1). Its answer is a secret that only `token.ts` sees. */
import { z } from "zod"
import * as field from "./fields"
import { reader } from "./reading"

export type TokenResponse = {
  readonly accessToken: string
  /** As the gateway wrote it, in minutes; `token.ts` checks that it makes sense. */
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
