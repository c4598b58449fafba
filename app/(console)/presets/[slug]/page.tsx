import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { PresetDetail } from "@/components/presets/preset-detail";
import { slugInPath } from "@/components/presets/preset-path";
import {
  compatibilityQuery,
  presetQuery,
  presetUsageQuery,
  presetVersionQuery,
  presetVersionsQuery,
  USAGE_DAYS,
} from "@/components/presets/preset-queries";
import { loadPresetState } from "@/components/presets/preset-state";

type PresetPageProps = PageProps<{ slug: string }>;

export async function generateMetadata({ params }: PresetPageProps): Promise<Metadata> {
  return { title: `Preset ${slugInPath((await params).slug)}` };
}

export default async function PresetPage({ params, searchParams }: PresetPageProps) {
  const slug = slugInPath((await params).slug);
  const { workspace, tab, version, offset } = await loadPresetState(searchParams);
  const address = { slug, workspace };
  const history =
    tab === "versions" ? [presetVersionsQuery(address, offset), presetUsageQuery(address, USAGE_DAYS)] : [];
  const viewedVersion = tab === "config" && version !== null ? [presetVersionQuery(address, version)] : [];
  const compatibility = tab === "guardrails" ? [compatibilityQuery(address, version)] : [];
  return (
    <Prefetch queries={[presetQuery(address), ...history, ...viewedVersion, ...compatibility]}>
      <PresetDetail key={slug} slug={slug} />
    </Prefetch>
  );
}
