/** Undefined when the text is not one whole JSON value. */
export function parseJson(text: string): unknown {
  try {
    // A `__proto__` key would change the prototype of an object that it is copied into. Each of its
    // letters may also be written as `\u00..`.
    return text.includes("proto") || text.includes("\\u00")
      ? JSON.parse(text, withoutProto)
      : JSON.parse(text)
  } catch {
    return undefined
  }
}

function withoutProto(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value
}
