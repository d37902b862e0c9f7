/**
 * What the database has of the plugin's tables, asked of its own catalogue: columns, the unique
 * rules and checks that money depends on, and triggers. Indexes for speed alone are left out: a
 * store without them is slow and takes money all the same.
 */
import { rowsOf, type Database } from "../../src/ledger/database"

/** A unique rule: a primary key, a unique constraint or a unique index. */
export type UniqueRule = {
  /** Its columns and expressions, in their order. */
  readonly keys: readonly string[]
  /** The columns and quoted values that its condition names; none: it holds for every row. */
  readonly condition: readonly string[]
}

export type Table = {
  /** By column: its type, then `not null` and `default` where they are so. */
  readonly columns: Readonly<Record<string, string>>
  readonly rules: Readonly<Record<string, UniqueRule>>
  /** By constraint: the columns and quoted values that it names. */
  readonly checks: Readonly<Record<string, readonly string[]>>
  readonly triggers: readonly string[]
}

export type Tables = Readonly<Record<string, Table>>

/**
 * Of the tables that a statement of ours would find, whatever schema the store uses. Everyone may
 * read the catalogue. A rule that Postgres has not finished, or checks late, keeps nothing.
 */
const READ = `
  select t.relname as name,
         (select json_object_agg(a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
                   case when a.attnotnull then 'not null' end,
                   case when a.atthasdef or a.attidentity <> '' then 'default' end))
            from pg_attribute a
           where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped) as columns,
         (select json_object_agg(i.relname, json_build_object(
                   'keys', (select json_agg(pg_get_indexdef(x.indexrelid, k, true) order by k)
                              from generate_series(1, x.indnkeyatts) k),
                   'condition', pg_get_expr(x.indpred, x.indrelid)))
            from pg_index x join pg_class i on i.oid = x.indexrelid
           where x.indrelid = t.oid and x.indisunique and x.indisvalid and x.indimmediate) as rules,
         (select json_object_agg(c.conname, pg_get_expr(c.conbin, c.conrelid))
            from pg_constraint c where c.conrelid = t.oid and c.contype = 'c') as checks,
         (select json_agg(g.tgname order by g.tgname)
            from pg_trigger g
           where g.tgrelid = t.oid and not g.tgisinternal and g.tgenabled <> 'D') as triggers
    from pg_class t
   where t.relname like 'mp\\_%' and t.relkind in ('r', 'p') and pg_table_is_visible(t.oid)
   order by t.relname`

type FoundTable = {
  readonly name: string
  readonly columns: Readonly<Record<string, string>> | null
  readonly rules: Readonly<
    Record<string, { readonly keys: readonly string[]; readonly condition: string | null }>
  > | null
  readonly checks: Readonly<Record<string, string>> | null
  readonly triggers: readonly string[] | null
}

/** All tables of the plugin, also those that this version does not know. */
export async function readTables(database: Database): Promise<Tables> {
  const found = await rowsOf<FoundTable>(database, READ)
  return Object.fromEntries(found.map((one) => [one.name, tableOf(one)]))
}

function tableOf({ columns, rules, checks, triggers }: FoundTable): Table {
  const names = Object.keys(columns ?? {})
  return {
    columns: sorted(columns ?? {}, (column) => column),
    rules: sorted(rules ?? {}, ({ keys, condition }) => ({
      keys,
      condition: namedIn(condition ?? "", names),
    })),
    checks: sorted(checks ?? {}, (expression) => namedIn(expression, names)),
    triggers: triggers ?? [],
  }
}

function sorted<In, Out>(
  given: Readonly<Record<string, In>>,
  outOf: (one: In) => Out,
): Record<string, Out> {
  const names = Object.keys(given).sort()
  return Object.fromEntries(
    names.flatMap((name) => {
      const one = given[name]
      return one === undefined ? [] : [[name, outOf(one)] as const]
    }),
  )
}

/**
 * The columns and quoted values of an expression. The text itself is not compared: versions of
 * Postgres write one expression in several ways.
 */
function namedIn(expression: string, columns: readonly string[]): string[] {
  const words = expression.match(/'(?:[^']|'')*'|[a-z_][a-z0-9_]*/g) ?? []
  return [...new Set(words.filter((word) => word.startsWith("'") || columns.includes(word)))].sort()
}
