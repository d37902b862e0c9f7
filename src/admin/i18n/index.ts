/**
 * What the dashboard takes from the plugin for its translations: language, then namespace, then
 * texts.
 */
import { en, fr, NAMESPACE } from "./words"

export default { en: { [NAMESPACE]: en }, fr: { [NAMESPACE]: fr } }
