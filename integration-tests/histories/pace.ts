/**
 * A harness in which all clocks go faster, by the same factor: the database's, the gateway's and
 * those of the worker processes. No limit of the product is changed; two minutes of a lease are two
 * minutes of that harness. Long stretches in which nothing happens can be skipped.
 */
import { Client } from "pg"

/** `worldMs` was the harness's time at the moment `realMs`. */
export type Pace = { readonly realMs: number; readonly worldMs: number; readonly speed: number }

export function worldNowMs({ realMs, worldMs, speed }: Pace): number {
  return worldMs + (Date.now() - realMs) * speed
}

export function skipped(pace: Pace, ms: number): Pace {
  return { ...pace, worldMs: pace.worldMs + ms }
}

const SET = `
  update world.pace
     set real_at = to_timestamp($1::float8 / 1000), world_at = to_timestamp($2::float8 / 1000),
         speed = $3`

/**
 * Puts a `now()` of the harness's before PostgreSQL's own, for every statement of every connection
 * to this database; also where a column's default asks for it.
 *
 * Open connections are closed: a connection keeps the names that it began with.
 */
const TAKE_OVER = `
  create schema world;
  create table world.pace (real_at timestamptz, world_at timestamptz, speed float8);
  insert into world.pace default values;
  create function world.now() returns timestamptz language sql stable as
    'select world_at + (pg_catalog.now() - real_at) * speed from world.pace';
  do $$
  declare it record;
  begin
    for it in select table_name, column_name from information_schema.columns
               where table_schema = 'public' and column_default = 'now()' loop
      execute format('alter table %I alter column %I set default world.now()',
                     it.table_name, it.column_name);
    end loop;
    execute format('alter database %I set search_path = world, pg_catalog, public',
                   current_database());
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid();
  end $$`

export type DatabaseClock = {
  set(pace: Pace): Promise<void>
  close(): Promise<void>
}

/** @param databaseUrl of a database whose tables are made already */
export async function takeOverClock(databaseUrl: string): Promise<DatabaseClock> {
  const client = new Client({ connectionString: databaseUrl })
  client.on("error", () => {})
  await client.connect()
  await client.query(TAKE_OVER)
  return {
    set: async ({ realMs, worldMs, speed }) =>
      void (await client.query(SET, [realMs, worldMs, speed])),
    close: () => client.end(),
  }
}
