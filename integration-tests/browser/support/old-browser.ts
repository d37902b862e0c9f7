/**
 * Takes from a page what Chrome 80 or Safari 14 does not have, as far as a script could use it. It
 * runs in the page, so that it names nothing outside of itself.
 */
export function withoutLaterApis(): void {
  const take = (from: object | undefined, ...names: string[]) => {
    for (const name of names) if (from) Reflect.deleteProperty(from, name)
  }
  take(globalThis, "structuredClone", "BroadcastChannel", "reportError", "CompressionStream")
  take(Object, "hasOwn", "groupBy")
  take(Promise, "any", "withResolvers", "try")
  take(Array, "fromAsync")
  take(URL, "canParse", "parse")
  take(Response, "json")
  take(AbortSignal, "any", "timeout", "abort")
  take(AbortSignal.prototype, "reason", "throwIfAborted")
  take(navigator.constructor.prototype as object, "locks")
  take(crypto.constructor.prototype as object, "randomUUID")
  take(String.prototype, "replaceAll", "at", "isWellFormed", "toWellFormed")
  for (const list of [Array.prototype, Object.getPrototypeOf(Int8Array.prototype) as object]) {
    take(list, "at", "findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with")
  }
  take(Intl, "DisplayNames", "ListFormat", "Segmenter", "DurationFormat", "supportedValuesOf")
  take(ReadableStream, "from")
  take(ReadableStream.prototype, "values")
  Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator)
  // An option of a later listener is one that does nothing.
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function listen(type, listener, options) {
    const known = typeof options === "object" ? { ...options, signal: undefined } : options
    if (typeof known === "object") Reflect.deleteProperty(known, "signal")
    add.call(this, type, listener, known)
  }
}
