/** An address of the store as it is set, to which paths are added. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, "")
