import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { PlaygroundPage } from "@/components/playground/playground-page";
import { modelOptionsQuery, usableKeysQuery } from "@/components/playground/playground-queries";
import { loadPlaygroundState } from "@/components/playground/playground-state";

export const metadata: Metadata = { title: "Playground" };

export default async function Page({ searchParams }: PageProps) {
  const { workspace } = await loadPlaygroundState(searchParams);
  return (
    <Prefetch queries={[usableKeysQuery(workspace), modelOptionsQuery]}>
      <PlaygroundPage />
    </Prefetch>
  );
}
