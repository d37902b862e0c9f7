/** HTML that is made of a template: each text in it is escaped, so no text becomes markup. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | null | readonly (Html | null)[]

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = "", ...rest] = literals
  return new Html(rest.reduce((text, literal, n) => text + textOf(parts[n]) + literal, first))
}

function textOf(part: Part | undefined): string {
  if (part === null || part === undefined) return ""
  if (part instanceof Html) return part.text
  if (typeof part === "object") return part.map((one) => one?.text ?? "").join("")
  return escaped(String(part))
}

/** Control characters have no place in a page. */
const escaped = (text: string) =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, " ")
    .replace(/[&<>"']/g, (sign) => ESCAPED[sign] ?? sign)
