import { useSyncExternalStore } from "react";
import type { CallInput } from "@/lib/browser/api-client";
import type { sendFromPlayground } from "@/lib/browser/operations/playground";

type Draft = NonNullable<CallInput<typeof sendFromPlayground>["body"]["draft"]>;

/** Unsaved guardrail passed from the editor to the playground. */
export interface HandedDraft {
  name: string;
  draft: Draft;
}

const PREFIX = "signalbox_draft_";
const keyOf = (id: string) => `${PREFIX}${id}`;

/** The editor's tab keeps only its last draft. */
function forgetDrafts(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? "");
  for (const key of keys) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

/** Secrets of external checks stay in the editor. */
const withoutSecrets = ({ external_checks, ...draft }: Draft): Draft => ({
  ...draft,
  ...(external_checks && { external_checks: external_checks.map(({ secret: _, ...check }) => check) }),
});

/** Opens the playground with a draft in a new tab, which the browser gives a copy of this tab's storage. */
export function openInPlayground({ name, draft }: HandedDraft, workspace: string | null): void {
  const id = crypto.randomUUID();
  forgetDrafts();
  sessionStorage.setItem(keyOf(id), JSON.stringify({ name, draft: withoutSecrets(draft) }));
  const query = new URLSearchParams({ draft: id, ...(workspace !== null && { workspace }) });
  window.open(`/playground?${query}`, "_blank");
}

const neverChanges = () => () => undefined;

/** The draft with this ID; null without an ID, "gone" if this tab doesn't have the draft. */
export function useHandedDraft(id: string | null): HandedDraft | "gone" | null {
  const text = useSyncExternalStore(
    neverChanges,
    () => (id === null ? null : (sessionStorage.getItem(keyOf(id)) ?? "gone")),
    () => null,
  );
  return text === null || text === "gone" ? text : (JSON.parse(text) as HandedDraft);
}
