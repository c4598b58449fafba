import type { Metadata } from "next";
import { GenerationList } from "@/components/generations/generation-list";

export const metadata: Metadata = { title: "Generations" };

export default function GenerationsPage() {
  return <GenerationList />;
}
