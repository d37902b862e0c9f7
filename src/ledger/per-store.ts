import type { Database } from "./database"

/**
 * What a process keeps in memory for a store, made when it is first asked for and found by the
 * store's database: two stores in one process share none of it.
 */
export function perStore<Deps extends { readonly database: Database }, Kept>(
  make: (deps: Deps) => Kept,
): (deps: Deps) => Kept {
  const all = new WeakMap<Database, Kept>()
  return (deps) => {
    const kept = all.get(deps.database) ?? make(deps)
    all.set(deps.database, kept)
    return kept
  }
}
