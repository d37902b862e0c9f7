/**
 * The business cases B01 to B33, each as rows of one table over pure functions: given these facts,
 * that follows. Most are `decide`'s or `decideSettlement`'s; where another pure function decides a
 * case, the row names it. How the flows carry it out is for the modules and http tests of the same
 * id.
 */
import type { BusinessCase } from "./business-case"
import { CASES_OF_PAID } from "./business-cases-paid"
import { CASES_OF_PAYING } from "./business-cases-paying"
import { CASES_OF_PROMPT } from "./business-cases-prompt"

export const BUSINESS_CASES: readonly BusinessCase[] = [
  ...CASES_OF_PAYING,
  ...CASES_OF_PAID,
  ...CASES_OF_PROMPT,
]
