export const moreFr = {}
