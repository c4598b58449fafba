import type { Metadata } from "next";
import { PresetList } from "@/components/presets/preset-list";

export const metadata: Metadata = { title: "Presets" };

export default function PresetsPage() {
  return <PresetList />;
}
