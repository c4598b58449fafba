import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { KeyList } from "@/components/keys/key-list";
import { keyListQuery, loadKeyListState, NO_GUARDRAIL } from "@/components/keys/key-queries";
import { recordNameQuery } from "@/components/layout/record-names";
import { RECORD_SOURCES } from "@/components/layout/record-sources";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage({ searchParams }: PageProps) {
  const state = await loadKeyListState(searchParams);
  const { guardrail } = state;
  const name =
    guardrail !== null && guardrail !== NO_GUARDRAIL && recordNameQuery(RECORD_SOURCES.guardrail_id, guardrail);
  return (
    <Prefetch queries={[keyListQuery(state), ...(name ? [name] : [])]}>
      <KeyList />
    </Prefetch>
  );
}
