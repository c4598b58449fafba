import { createLoader, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";
import { KEY_KINDS, KEY_STATUSES } from "@/lib/records/keys/vocabulary";

/** Guardrail filter value for keys without a guardrail. */
export const NO_GUARDRAIL = "none";

/** URL state of the key list. */
export const KEY_LIST_STATE = {
  ...LIST_STATE,
  kind: parseAsStringLiteral(KEY_KINDS),
  status: parseAsStringLiteral(KEY_STATUSES),
  guardrail: parseAsString,
  tag: parseAsString,
};
export type KeyListState = inferParserType<typeof KEY_LIST_STATE>;

export const loadKeyListState = createLoader(KEY_LIST_STATE);
