import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { KeyList } from "@/components/keys/key-list";
import { keyListQuery, loadKeyListState } from "@/components/keys/key-queries";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage({ searchParams }: PageProps) {
  const state = await loadKeyListState(searchParams);
  return (
    <Prefetch queries={[keyListQuery(state)]}>
      <KeyList />
    </Prefetch>
  );
}
