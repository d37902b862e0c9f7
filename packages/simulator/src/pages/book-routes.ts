/** The book's page and its forms. After a wrong form the page is shown again, with the reason. */
import type { FastifyInstance, FastifyReply } from "fastify"
import { z } from "zod"

import { viewOf, type BookView } from "../book/view"
import { WrongControl } from "../control/wrong-control"
import { isFaultEntry, type Faults } from "../faults"
import { sessionStatusOf } from "../rules/sessions"
import type { World } from "../world"
import { bookList, bookPage, type Movement, type Shown } from "./book-page"
import { MOST_TIMES, USUAL, type FaultForms } from "./fault-forms"
import { send } from "./html"

export type BookPageParts = {
  faults: Faults
  calls: Readonly<Record<string, number>>
  operations: readonly string[]
}

/** The book's page with its forms open. */
const AT_WORK = "/book?forms=open"
/** Rows of each list: enough to see the latest events. */
const ROWS = 25

const Query = z.object({ fragment: z.string().optional(), forms: z.string().optional() })
const FaultForm = z.object({
  operation: z.string(),
  kind: z.string(),
  argument: z.string(),
  moment: z.string(),
  times: z.string(),
})
const RandomForm = z.object({ rate: z.string(), seed: z.string() })

export function openBookPage(app: FastifyInstance, world: World, parts: BookPageParts): void {
  const view = viewOf(world)
  const shown = () => shownOf(world, view, parts)
  const { faults } = parts
  const formsWith = (change: Partial<FaultForms>): FaultForms => ({
    operations: parts.operations,
    typed: { operation: "executeCollection", kind: "500", argument: "", moment: USUAL, times: "1" },
    rate: String(faults.randomized()?.rate ?? "0.05"),
    seed: faults.randomized()?.seed ?? "1",
    isOpen: false,
    problem: null,
    ...change,
  })
  /**
   * Redirects to the page after a change; if the form was wrong, shows it again with what was
   * typed.
   */
  const changed = (reply: FastifyReply, typed: Partial<FaultForms>, change: () => void) => {
    try {
      change()
    } catch (error) {
      if (!(error instanceof WrongControl)) throw error
      const forms = formsWith({ ...typed, isOpen: true, problem: error.message })
      return send(reply, bookPage(shown(), forms), 422)
    }
    return reply.redirect(AT_WORK, 303)
  }

  app.get("/book", ({ query }, reply) => {
    const { fragment, forms } = Query.parse(query)
    return fragment === undefined
      ? send(reply, bookPage(shown(), formsWith({ isOpen: forms !== undefined })))
      : send(reply, bookList(shown()).text)
  })

  app.post("/book/faults", ({ body }, reply) => {
    const typed = FaultForm.parse(body)
    return changed(reply, { typed }, () => {
      const { operation, kind, argument, moment } = typed
      const words = [kind, argument.trim(), moment === USUAL ? "" : moment]
      const entry = words.filter((word) => word !== "").join(":")
      if (!isFaultEntry(entry) || entry === "ok") throw new WrongControl(`${entry} is not a fault.`)
      const times = /^\d{1,3}$/.test(typed.times) ? Number(typed.times) : 0
      if (times < 1 || times > MOST_TIMES)
        throw new WrongControl(`Times is from 1 to ${MOST_TIMES}.`)
      faults.script(
        operation,
        Array.from({ length: times }, () => entry),
      )
    })
  })

  app.post("/book/random-faults", ({ body }, reply) => {
    const { rate, seed } = RandomForm.parse(body)
    return changed(reply, { rate, seed }, () => {
      const share = /^\d*\.?\d+$/.test(rate.trim()) ? Number(rate) : Number.NaN
      faults.random(share === 0 ? null : { rate: share, seed })
    })
  })

  app.post("/book/clear-faults", (_, reply) => {
    faults.clear()
    return reply.redirect(AT_WORK, 303)
  })
}

const newest = <T>(records: readonly T[]): T[] => records.slice(-ROWS).reverse()

function shownOf(world: World, view: BookView, { faults, calls }: BookPageParts): Shown {
  const documents = view.documents()
  const movements = movementsOf(view)
  const sessions = [...world.book.sessions.values()]
  const random = faults.randomized()
  return {
    documents: newest(documents),
    movements: newest(movements),
    sessions: newest(sessions).map((session) => ({
      id: session.id,
      type: session.type,
      status: sessionStatusOf(world, session),
      expiresAtMs: session.expiresAtMs,
    })),
    wallets: view.wallets(),
    calls: Object.entries(calls)
      .map(([operation, times]) => ({ operation, times }))
      .sort((left, right) => left.operation.localeCompare(right.operation)),
    struck: newest(faults.history()),
    scripted: faults.scripted().slice(0, ROWS),
    random:
      random && `${Number((random.rate * 100).toPrecision(4))}% of the calls, seed ${random.seed}`,
    counts: {
      documents: documents.length,
      movements: movements.length,
      sessions: sessions.length,
    },
  }
}

/** Money in and money out, oldest first. */
function movementsOf(view: BookView): Movement[] {
  const collections = view.executions().map((execution) => ({
    ...execution,
    type: "COLLECTION",
    about: [view.document(execution.sourceId)?.number, execution.phone ?? execution.method]
      .filter((word) => word !== undefined)
      .join(", "),
  }))
  const out = [...view.payouts(), ...view.transfers(), ...view.refunds()].map((moneyOut) => ({
    ...moneyOut,
    type: moneyOut.operationType,
    about: moneyOut.phone ?? moneyOut.method,
  }))
  return [...collections, ...out].sort((left, right) => left.createdAtMs - right.createdAtMs)
}
