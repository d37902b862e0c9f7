export const moreEn = {}
