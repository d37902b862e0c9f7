/**
 * What the dashboard takes from the plugin for its translations: language, then namespace, then
 * texts.
 */
import refusal from "./refusals.fr.json"
import { typeset } from "./typeset"
import { en, fr, NAMESPACE } from "./words"

/** English refusals are the store's own sentences. */
export default {
  en: { [NAMESPACE]: en },
  fr: { [NAMESPACE]: { ...fr, refusal: typeset(refusal) } },
}
