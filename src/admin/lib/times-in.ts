/** The store's sentences have times as programs read them; a person reads them in their own zone. */
const ISO_UTC = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g

/** @param write how the page writes a time */
export const timesIn = (text: string, write: (iso: string) => string) =>
  text.replace(ISO_UTC, (iso) => (Number.isNaN(Date.parse(iso)) ? iso : write(iso)))
