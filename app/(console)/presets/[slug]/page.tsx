import type { Metadata } from "next";
import { PresetDetail } from "@/components/presets/preset-detail";

interface PresetPageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PresetPageProps): Promise<Metadata> {
  return { title: `Preset ${(await params).slug}` };
}

export default async function PresetPage({ params }: PresetPageProps) {
  const { slug } = await params;
  return <PresetDetail key={slug} slug={slug} />;
}
