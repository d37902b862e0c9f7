/**
 * `POST /v1/jwt/client/obtain/token` (contract, 1). The answer is a secret and goes no further than
 * `token.ts`.
 */
import { z } from "zod"
import { optionalText, reader } from "./fields"

export type TokenResponse = {
  readonly accessToken: string
  /** As the gateway wrote it, in minutes; `token.ts` checks that it makes sense. */
  readonly expiresInMinutes: number | undefined
}

// Printable and without spaces, because it becomes a header.
const answerSchema = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: optionalText,
})

export const readToken = reader<typeof answerSchema, undefined, TokenResponse>(
  answerSchema,
  (fields) => {
    const lifetime = Number(fields.expires_in)
    return {
      accessToken: fields.access_token,
      expiresInMinutes: Number.isFinite(lifetime) ? lifetime : undefined,
    }
  },
)
