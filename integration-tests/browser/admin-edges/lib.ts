/** The part of the dashboard's library that the extension changes. */
export const currencies: Record<string, object> = {}
