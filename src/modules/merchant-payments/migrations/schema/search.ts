/**
 * The words by which an admin finds an operation. They have a table of their own, because each
 * check writes a row of `mp_operation` and would write this index, too. A trigger keeps the words
 * up to date, so that no other statement has to.
 */

/** Currencies without decimals at 0.1.0. Another one comes with a migration of its own. */
const CURRENCIES = "BIF CLP DJF GNF JPY KMF KRW PYG UGX VND VUV XAF XOF XPF RWF".split(" ")

export const SEARCHES: readonly string[] = [
  `create table if not exists mp_operation_search (
    operation_id text primary key references mp_operation (id) on delete cascade,
    words tsvector not null
  );`,
  // The index has no pending list, because each search would have to read the whole list.
  `create index if not exists operation_search_words on mp_operation_search
     using gin (words) with (fastupdate = off);`,

  // If the trigger fails, the payment can't be written. So no word is empty, and none is longer
  // than 100 characters. Amounts begin with `=`, to be distinct from other numbers.
  `create or replace function mp_search_words(o mp_operation) returns tsvector
    language sql stable as $words$
    select array_to_tsvector(array_agg(left(lower(word), 100)))
      from unnest(o.search_words || array(
             select payment_session_id from mp_operation_session where operation_id = o.id
           ) || array[
             o.id, o.parent_id, o.payment_collection_id, o.payment_session_id, o.cart_id,
             o.order_id, o.medusa_refund_id, o.reference::text, o.source_number, o.source_id::text,
             o.gateway_session_id::text, o.payment_intent_id::text, o.provider_transaction_id,
             o.phone_hint, o.currency_code, o.payer_currency, '=' || trim_scale(o.payer_amount),
             '=' || case when o.currency_code in (${currencies()}) then o.amount_minor
                         else trim_scale(o.amount_minor / 100::numeric) end]) word
     where word <> ''
  $words$;`,

  `create or replace function mp_keep_search_words() returns trigger language plpgsql as $keep$
  begin
    insert into mp_operation_search (operation_id, words)
    values (new.id, mp_search_words(new))
    on conflict (operation_id) do update set words = excluded.words
      where mp_operation_search.words <> excluded.words;
    return null;
  end $keep$;`,

  `create or replace trigger operation_search_words_are_kept
    after insert or update of parent_id, payment_session_id, cart_id, order_id, medusa_refund_id,
      reference, source_number, source_id, gateway_session_id, payment_intent_id,
      provider_transaction_id, phone_hint, payer_amount, payer_currency, search_words
    on mp_operation for each row execute function mp_keep_search_words();`,
]

function currencies(): string {
  return CURRENCIES.map((currency) => `'${currency}'`).join(", ")
}
