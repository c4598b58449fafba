import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { NewPreset } from "@/components/presets/new-preset";
import { loadNewPresetState } from "@/components/presets/preset-state";
import { presetQuery } from "@/components/presets/preset-queries";

export const metadata: Metadata = { title: "New preset" };

export default async function NewPresetPage({ searchParams }: PageProps) {
  const { from, workspace } = await loadNewPresetState(searchParams);
  return (
    <Prefetch queries={from === null ? [] : [presetQuery({ slug: from, workspace })]}>
      <NewPreset />
    </Prefetch>
  );
}
