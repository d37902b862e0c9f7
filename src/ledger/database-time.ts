/** The clock by which every moment of money is stored. */
import { rowOf, type Database } from "./database"

/** A server's own clock may be minutes off, and would leave out what has just come. */
export async function databaseTime(database: Database): Promise<Date> {
  return (await rowOf<{ now: Date }>(database, "select now() as now")).now
}
