/**
 * HTML as values. Everything put into a template is escaped unless it is HTML already, so a note or
 * a line's name can't become markup. The pages load nothing from other servers.
 */
import type { FastifyReply } from "fastify"

export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | null | false | readonly Html[]

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "")

const rendered = (piece: Piece): string => {
  if (piece === null || piece === false) return ""
  if (piece instanceof Html) return piece.text
  if (typeof piece === "object") return piece.map(rendered).join("")
  return escaped(String(piece))
}

export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(strings.reduce((text, part, index) => text + rendered(pieces[index - 1] ?? null) + part))

/** A value inside an inline script. */
export const script = (value: unknown): Html =>
  new Html(JSON.stringify(value).replaceAll("<", "\\u003c"))

export const HTML_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; " +
    "img-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
} as const

export const send = (reply: FastifyReply, page: string, status = 200): FastifyReply =>
  reply.code(status).headers(HTML_HEADERS).send(page)
