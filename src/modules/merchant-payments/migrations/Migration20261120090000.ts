import { Migration } from "@medusajs/framework/mikro-orm/migrations"
import { ACCOUNTS } from "./schema/accounts"
import { NOTIFICATIONS } from "./schema/notifications"
import { OPERATIONS } from "./schema/operations"
import { SEARCHES } from "./schema/search"
import { WORK } from "./schema/work"

const STATEMENTS = [...ACCOUNTS, ...OPERATIONS, ...SEARCHES, ...WORK, ...NOTIFICATIONS]

/** In the order in which they can be dropped: a table comes before those that it refers to. */
const TABLES = STATEMENTS.flatMap(
  (statement) => /^create table if not exists (\w+)/.exec(statement)?.[1] ?? [],
).reverse()

/**
 * All tables of the plugin. A constraint is named after the rule that it keeps. The statements are
 * in `schema/`, where Medusa reads no migrations.
 */
export class Migration20261120090000 extends Migration {
  override async up(): Promise<void> {
    for (const statement of STATEMENTS) this.addSql(statement)
  }

  override async down(): Promise<void> {
    // `cascade` drops the trigger, too. The second function takes a row of a table, so both go
    // before the tables.
    this.addSql("drop function if exists mp_keep_search_words cascade;")
    this.addSql("drop function if exists mp_search_words;")
    for (const table of TABLES) this.addSql(`drop table if exists ${table};`)
  }
}
