/** A file of comma-separated values, as a spreadsheet reads it: the cells of its lines. */
export async function cellsIn(lines: AsyncIterable<string>): Promise<string[][]> {
  let text = ""
  for await (const part of lines) text += part
  return text.replace("\uFEFF", "").trimEnd().split("\r\n").map(cellsOf)
}

/** The cells of a line whose every cell may be quoted. */
function cellsOf(line: string): string[] {
  const cells = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)]
  return cells.map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? "").trim())
}
