/** What a merchant does in one demo that nothing else has used. */
import path from "node:path"
import { playTogether } from "../../support/play-together"
import { shareDemo } from "../support/demo"
import suites from "./suites.json"

shareDemo()
// The first reads a day on which nothing was paid.
playTogether(path.join(__dirname, ".."), suites.office)
