/** Plain SQL from the bench's own connection, for what no HTTP answer tells. */
import { Client, type QueryResultRow } from "pg"

export async function query<Row extends QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text, [...values])
    return rows
  } finally {
    await client.end()
  }
}

/** Whether the server writes every statement into its log; running connections follow at once. */
export async function logStatements(serverUrl: string, which: "all" | "none"): Promise<void> {
  await query(serverUrl, `alter system set log_statement = '${which}'`)
  await query(serverUrl, "select pg_reload_conf()")
}

/**
 * The bench is one stranger with one phone who pays all day: the buckets of its stores never empty.
 */
export async function liftShopperLimits(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `create function always_full() returns trigger language plpgsql as
       $$ begin new.full_at := now(); return new; end $$;
     create trigger always_full before insert or update on mp_bucket
        for each row execute function always_full();
     create function never_kept() returns trigger language plpgsql as
       $$ begin return null; end $$;
     create trigger never_kept before insert on mp_start
        for each row execute function never_kept();`,
  )
}
