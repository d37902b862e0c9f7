/** The settings: one row, which is written with its history. */
import { momentIn, type Database } from "../../ledger/database"
import { json } from "../../ledger/operation-row"
import type { SettingsChange } from "../schemas/notifications"
import {
  storedChanges,
  storedSettings,
  type NotificationSettings,
} from "../schemas/stored-settings"

export type StoredSettings = { readonly version: number; readonly body: NotificationSettings }

const READ = `select id, version, body from mp_notification_settings where id = 'shop'`

export async function findSettings(database: Database): Promise<StoredSettings | undefined> {
  const [row] = await database.query(READ, [], "mp_notification_settings")
  return row && { version: Number(row["version"]), body: json(row, "body", storedSettings) }
}

const SAVE = `
  with saved as (
    insert into mp_notification_settings as s (id, version, body)
    select 'shop', $1::int + 1, $2::jsonb
     where $1::int = 0 or exists (select from mp_notification_settings where version = $1::int)
    on conflict (id) do update
      set version = s.version + 1, body = s.body || excluded.body, updated_at = now()
      where s.version = $1::int
    returning version
  ), noted as (
    insert into mp_notification_change (version, done_by, changes)
    select version, $3, $4::jsonb from saved
  )
  select version from saved`

/** @returns false: the settings have another version by now, and nothing was written */
export async function saveSettings(
  database: Database,
  seen: number,
  body: NotificationSettings,
  { by, changes }: { readonly by: string; readonly changes: readonly SettingsChange[] },
): Promise<boolean> {
  const parameters = [seen, JSON.stringify(body), by, JSON.stringify(changes)]
  return (await database.query(SAVE, parameters)).length > 0
}

export type StoredChange = {
  readonly by: string
  readonly at: Date
  readonly changes: readonly SettingsChange[]
}

const CHANGES = `
  select version as id, done_by as by, created_at as at, changes from mp_notification_change
   order by version desc limit $1`

export async function listChanges(database: Database, most: number): Promise<StoredChange[]> {
  const rows = await database.query(CHANGES, [most])
  return rows.map((row) => ({
    by: String(row["by"]),
    at: momentIn(row["at"]),
    changes: json(row, "changes", storedChanges),
  }))
}
