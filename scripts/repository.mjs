// @ts-check
/** Who owns the repository, before it has an owner. */
export const PLACEHOLDER = "OWNER"

/**
 * The address of the repository's page.
 * @param {{ repository: { url: string } }} manifest
 * @returns {string}
 */
export function addressOf({ repository }) {
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "")
}
