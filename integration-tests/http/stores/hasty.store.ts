/** A store at a gateway whose clock goes twenty times faster. */
import path from "node:path"
import { playTogether } from "../../support/play-together"
import { shareHarness } from "../support/harness"
import suites from "./suites.json"

shareHarness({ simulator: { speed: 20, partialRefunds: "UNCAPPED" } })
playTogether(path.join(__dirname, ".."), suites.hasty)
