/** A store with a key for secrets, and a passcode for money that goes out. */
import { randomBytes } from "node:crypto"
import path from "node:path"
import { PASSCODE } from "../../fuzz/two-admins"
import { playTogether } from "../../support/play-together"
import { shareHarness } from "../support/harness"
import suites from "./suites.json"

shareHarness({
  simulator: { speed: 4, passcode: PASSCODE },
  env: { MERCHANT_PAYMENTS_ENCRYPTION_KEY: randomBytes(32).toString("base64") },
})
// The last sets rules for the account.
playTogether(path.join(__dirname, ".."), suites.guarded)
