import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";
import { KEY_KINDS, KEY_STATUSES } from "@/lib/records/keys/vocabulary";

/** The value of the guardrail filter that asks for keys without one. */
export const NO_GUARDRAIL = "none";

/** What the list of keys keeps in the URL. */
export const KEY_LIST_STATE = {
  ...LIST_STATE,
  kind: parseAsStringLiteral(KEY_KINDS),
  status: parseAsStringLiteral(KEY_STATUSES),
  guardrail: parseAsString,
};
export type KeyListState = inferParserType<typeof KEY_LIST_STATE>;

export const loadKeyListState = createLoader(KEY_LIST_STATE);
