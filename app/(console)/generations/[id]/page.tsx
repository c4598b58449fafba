import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { GenerationDetail } from "@/components/generations/generation-detail";
import { generationContentQuery, generationQuery } from "@/components/generations/generation-queries";

export const metadata: Metadata = { title: "Generation" };

export default async function GenerationPage({ params }: PageProps<{ id: string }>) {
  const { id } = await params;
  return (
    <Prefetch queries={[generationQuery(id), generationContentQuery(id)]}>
      <GenerationDetail key={id} id={id} />
    </Prefetch>
  );
}
