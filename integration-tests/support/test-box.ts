/** A key that every process of a test has, in the place of the environment's. */
import { secretBoxOf } from "../../src/medusa/secrets/secret-box"

export const testBox = secretBoxOf({
  MERCHANT_PAYMENTS_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
})
