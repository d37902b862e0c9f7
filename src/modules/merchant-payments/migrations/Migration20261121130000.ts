import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * A push that never sent anything may still have money to answer for: its source was paid by somebody
 * else. It goes to a person without a reference, because none was ever made.
 */
export class Migration20261121130000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`
      alter table mp_operation drop constraint if exists money_is_sent_under_a_reference;`)
    this.addSql(`
      alter table mp_operation add constraint money_is_sent_under_a_reference
        check (flow = 'hosted' or flow = 'link' or reference is not null
               or (submitted_at is null and state not in ('submitted', 'in_flight')));`)
  }

  override async down(): Promise<void> {
    this.addSql(`
      alter table mp_operation drop constraint if exists money_is_sent_under_a_reference;`)
    // What is held without a reference stays; the rule is for what comes from now on.
    this.addSql(`
      alter table mp_operation add constraint money_is_sent_under_a_reference
        check (flow = 'hosted' or flow = 'link' or reference is not null
               or state in ('drafted', 'expired')) not valid;`)
  }
}
