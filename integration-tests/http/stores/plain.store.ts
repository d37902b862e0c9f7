/** A store as it is installed. */
import path from "node:path"
import { playTogether } from "../../support/play-together"
import { shareHarness } from "../support/harness"
import suites from "./suites.json"

shareHarness({})
playTogether(path.join(__dirname, ".."), suites.plain)
