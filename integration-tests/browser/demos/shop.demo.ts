/** What shoppers do in one demo. */
import path from "node:path"
import { playTogether } from "../../support/play-together"
import { shareDemo } from "../support/demo"
import suites from "./suites.json"

shareDemo()
// The last has its orders placed before the money.
playTogether(path.join(__dirname, ".."), suites.shop)
