import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { PresetList } from "@/components/presets/preset-list";
import { presetListQuery } from "@/components/presets/preset-queries";
import { loadPresetListState } from "@/components/presets/preset-state";

export const metadata: Metadata = { title: "Presets" };

export default async function PresetsPage({ searchParams }: PageProps) {
  return (
    <Prefetch queries={[presetListQuery(await loadPresetListState(searchParams))]}>
      <PresetList />
    </Prefetch>
  );
}
