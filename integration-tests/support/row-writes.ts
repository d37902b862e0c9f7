/**
 * What is written to one row of the ledger, told by a trigger: for each update the statement and
 * the columns that it changed, and whether an index names one of these. An update that changes no
 * column of an index is written into the row's own page, where that has room, and no index is
 * written (HOT).
 */
import type { LedgerDatabase } from "./ledger-database"

export type RowWrite = {
  readonly statement: string
  readonly changed: readonly string[]
  /** Changed columns that an index has in its keys, beside them, or in its condition. */
  readonly indexed: readonly string[]
  /** The indexes that hold the row after the write: all of them are written, if one is. */
  readonly heldBy: number
}

/** Columns of a table that an index names anywhere: their change keeps an update from being HOT. */
const INDEXED = `
  select distinct a.attname::text as name
    from pg_index x
    join pg_attribute a on a.attrelid = x.indrelid
    left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = x.indexrelid
                         and d.refobjid = x.indrelid and d.refobjsubid = a.attnum
   where x.indrelid = $1::regclass and a.attnum > 0
     and (d.objid is not null or a.attnum = any (x.indkey::int2[]))`

/** Notes the updates of `mp_operation` from now on, but those that move a row's past. */
export async function noteRowWrites({ sql }: LedgerDatabase) {
  await sql(
    `create table row_write (at bigserial, id text, statement text, changed text[], held_by int)`,
  )
  await sql(`create function note_row_write() returns trigger language plpgsql as $$
    declare
      condition text;
      holds boolean;
      held int := 0;
    begin
      for condition in select coalesce(pg_get_expr(indpred, indrelid), 'true') from pg_index
                        where indrelid = 'mp_operation'::regclass loop
        execute format('select exists (select from mp_operation where id = $1 and (%s))', condition)
           into holds using new.id;
        held := held + holds::int;
      end loop;
      insert into row_write (id, statement, changed, held_by)
      select new.id, current_query(), coalesce(array_agg(key order by key), '{}'), held
        from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
       where n.value is distinct from o.value;
      return null;
    end $$`)
  await sql(`create trigger row_write_is_noted after update on mp_operation for each row
    when (old.created_at = new.created_at) execute function note_row_write()`)
  return async function writesOf(id: string): Promise<RowWrite[]> {
    const names = new Set((await sql(INDEXED, ["mp_operation"])).map(({ name }) => String(name)))
    const rows = await sql(
      "select statement, changed, held_by from row_write where id = $1 order by at",
      [id],
    )
    return rows.map(({ statement, changed, held_by }) => ({
      statement: String(statement),
      changed: changed as string[],
      indexed: (changed as string[]).filter((column) => names.has(column)),
      heldBy: Number(held_by),
    }))
  }
}
