/** A store with other code in its process, whose admins give back in parts. */
import path from "node:path"
import { WITH_OTHER_CODE } from "../support/other-code"
import { playTogether } from "../../support/play-together"
import { shareHarness } from "../support/harness"
import suites from "./suites.json"

shareHarness({ simulator: { speed: 4, partialRefunds: "UNCAPPED" }, env: WITH_OTHER_CODE })
playTogether(path.join(__dirname, ".."), suites["other-code"])
