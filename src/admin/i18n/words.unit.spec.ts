import { REFUSALS } from "../../core/refusal"
import { checkInFrench } from "./check-fr"
import { REFUSALS_FR, refusalInFrench } from "./refusals-fr"
import { storyInFrench, whyInFrench } from "./why-fr"
import { en, fr } from "./words"

type Texts = { readonly [key: string]: string | Texts }

function flat(texts: Texts, path = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${path}${key}`, value] as [string, string]]
      : flat(value, `${path}${key}.`),
  )
}

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe("the words of the admin's pages", () => {
  const french = new Map(flat(fr))

  it.each(flat(en))("%s is said in French too, with the same holes", (key, english) => {
    const text = french.get(key)
    expect(text).toBeTruthy()
    expect(holes(text ?? "")).toEqual(holes(english))
  })

  it("are no more in French than in English", () => {
    expect([...french.keys()].sort()).toEqual(
      flat(en)
        .map(([key]) => key)
        .sort(),
    )
  })

  it("say every refusal in French", () => {
    expect(Object.keys(REFUSALS).filter((code) => !REFUSALS_FR[code])).toEqual([])
  })
})

describe("a reason in French", () => {
  it.each([
    ["the shopper gave up", "le client a renoncé"],
    ["the gateway reports the execution as PENDING", "la passerelle annonce PENDING"],
    [
      "no final answer after 40 looks; the last: the source reads ACTIVE",
      "aucune réponse définitive après 40 regards ; le dernier : le document est ACTIVE",
    ],
    ["status of the refund: not known there", "état du remboursement : inconnu là-bas"],
    [
      "Medusa refused 3 times: the payment session is gone",
      "Medusa a refusé 3 fois : la session de paiement a disparu",
    ],
    ["Medusa could not take the money: $1", "Medusa n'a pas pu prendre l'argent : $1"],
    ["the order follows op_1, which is in_flight", "la commande suit op_1 (En cours)"],
    ["what nobody has translated", "what nobody has translated"],
  ])("of %j is %j", (english, text) => {
    expect(whyInFrench(english)).toBe(text)
  })

  it.each([
    ["give_back", "la passerelle dit que l'argent est reparti"],
    ["accept", "the gateway says that the money went back"],
    ["dismiss", "the gateway says that the money went back"],
  ])("of %j is %j: only a person's own words stay", (name, text) => {
    const why = "the gateway says that the money went back"
    expect(storyInFrench({ name, why, facts: {} })).toBe(text)
  })

  it("tells a refusal by its code", () => {
    const why = "policy refund_orphans: There are no credentials. Nothing was sent."
    const happened = { name: "refund_refused", why }
    expect(storyInFrench({ ...happened, facts: { code: "not_configured" } })).toBe(
      `règle refund_orphans : ${REFUSALS_FR["not_configured"]}`,
    )
    expect(storyInFrench({ ...happened, facts: { code: "of_another_version" } })).toBe(
      "règle refund_orphans : There are no credentials. Nothing was sent.",
    )
  })
})

describe("a refusal in French", () => {
  it.each([
    [
      "invalid_request",
      "The gateway's address must not have a path.",
      "L'adresse de la passerelle ne doit pas avoir de chemin.",
    ],
    ["invalid_request", "Invalid input", REFUSALS_FR["invalid_request"]],
    ["already_paid", "too many", REFUSALS_FR["already_paid"]],
    ["of_another_version", "No.", undefined],
  ])("of %j with %j is %j", (code, sentence, text) => {
    expect(refusalInFrench(code, sentence)).toBe(text)
  })
})

describe("a line of a check in French", () => {
  it.each([
    ["The database answers.", "La base de données répond."],
    ["The job runs, in 2 processes.", "La tâche tourne, dans 2 processus."],
    ["Operator 1 (LR) takes LRD.", "Operator 1 (LR) prend LRD."],
    [
      "KEY is not set, so no secret can be kept here. Make one.",
      "KEY n'est pas définie : aucun secret ne peut être gardé ici. Créez-en une avec " +
        "`openssl rand -base64 32`, définissez-la pour chaque processus de la boutique et gardez-en " +
        "une copie ailleurs que dans les sauvegardes de la base.",
    ],
    ["A line of another version.", "A line of another version."],
  ])("of %j is %j", (english, text) => {
    expect(checkInFrench(english)).toBe(text)
  })
})
