import type { Metadata } from "next";
import { GenerationDetail } from "@/components/generations/generation-detail";

export const metadata: Metadata = { title: "Generation" };

export default async function GenerationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <GenerationDetail key={id} id={id} />;
}
