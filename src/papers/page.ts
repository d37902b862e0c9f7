/** The frame of the receipt's page, and the pages in the place of a receipt. */
import { html, type Html } from "./html"
import { STYLE } from "./style"
import { LANGUAGE_NAMES, PAPER_LANGUAGES, PAPER_WORDS, type PaperLanguage } from "./words"

type Frame = {
  readonly title: string
  readonly language: PaperLanguage
  /** Whether the page leads to itself in the other languages; it has to have an address for that. */
  readonly hasLanguages: boolean
}

export function page({ title, language, hasLanguages }: Frame, content: Html): string {
  const head = html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex, nofollow" />
    <meta name="referrer" content="no-referrer" />
    <title>${title}</title>
  </head>`
  const body = html`<body>
    <main>${hasLanguages ? languages(language) : null} ${content}</main>
  </body>`
  // The style is not escaped: it is this plugin's own, and its digest has to fit.
  return `<!doctype html>\n<html lang="${language}">${head.text}<style>${STYLE}</style></head>${body.text}</html>\n`
}

function languages(current: PaperLanguage): Html {
  const others = PAPER_LANGUAGES.filter((one) => one !== current)
  return html`<nav class="languages screen" aria-label="${PAPER_WORDS[current].languages}">
    ${others.map((one) => html`<a href="?lang=${one}" lang="${one}">${LANGUAGE_NAMES[one]}</a> `)}
  </nav>`
}

export type MessageKind = "unknown" | "ended" | "busy"

/** A page in the place of a receipt. It says nothing of the order. */
export function renderMessage(
  kind: MessageKind,
  language: PaperLanguage,
  shop: string | null = null,
): string {
  const words = PAPER_WORDS[language]
  const isNamed = kind === "ended" && shop !== null
  const text = isNamed ? words.endedAt.replace("{shop}", () => shop) : words[kind]
  const title = words[`${kind}Title`]
  return page(
    { title, language, hasLanguages: true },
    html`<h1>${title}</h1>
      <p><bdi>${text}</bdi></p>`,
  )
}
