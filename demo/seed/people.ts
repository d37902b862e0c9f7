/** Shoppers of the seeded demo: plain data. Their numbers end as a scene of the simulator wants. */
import type { Person, Region } from "../../integration-tests/http/support/shop"

const NAMES: Record<Region, readonly (readonly [first: string, last: string])[]> = {
  Liberia: [
    ["Ama", "Kollie"],
    ["Fatu", "Kromah"],
    ["Moses", "Weah"],
    ["Comfort", "Toe"],
    ["Emmanuel", "Dolo"],
    ["Hawa", "Sirleaf"],
    ["Prince", "Gbowee"],
    ["Musu", "Fahnbulleh"],
  ],
  Rwanda: [
    ["Aline", "Uwase"],
    ["Eric", "Habimana"],
    ["Chantal", "Mukamana"],
    ["Jean", "Niyonzima"],
    ["Divine", "Ingabire"],
    ["Patrick", "Mugisha"],
  ],
  International: [
    ["Grace", "Cooper"],
    ["Élodie", "Martin"],
    ["Kwame", "Mensah"],
    ["Anna", "Vogel"],
  ],
}
const TOWN: Record<Region, string> = {
  Liberia: "Monrovia",
  Rwanda: "Kigali",
  International: "Boston",
}

/** Networks of the two countries. A shopper from elsewhere pays with a number of Liberia. */
const NETWORKS: Record<Region, readonly string[]> = {
  Liberia: ["+231886", "+231770"],
  Rwanda: ["+250788", "+250722"],
  International: ["+231886"],
}
const FREE_NUMBERS = 9_000

/**
 * The n-th shopper of a region. Names repeat and e-mails do not: of two guests of the same e-mail
 * that come at once Medusa refuses one.
 */
export function personOf(region: Region, n: number): Person {
  const names = NAMES[region]
  const [first = "", last = ""] = names[n % names.length] ?? []
  const round = Math.floor(n / names.length)
  const plain = `${first}.${last}`
    .normalize("NFD")
    .replaceAll(/[^\w.]/g, "")
    .toLowerCase()
  const email = `${plain}${round > 0 ? round : ""}@example.com`
  return { email, first_name: first, last_name: last, city: TOWN[region] }
}

/** In E.164. Numbers repeat only after thousands, and their prompts are told apart anyway. */
export function phoneOf(region: Region, n: number, ending: string): string {
  const networks = NETWORKS[region]
  return `${networks[n % networks.length] ?? ""}${1_000 + (n % FREE_NUMBERS)}${ending}`
}
