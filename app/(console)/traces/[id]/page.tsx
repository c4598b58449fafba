import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { firstLogPageQuery } from "@/components/generations/generation-queries";
import { RequestThread } from "@/components/sessions/request-thread";

export const metadata: Metadata = { title: "Trace" };

export default async function TracePage({ params }: PageProps<{ id: string }>) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetch queries={[firstLogPageQuery({ filters: { trace_id: id } })]}>
      <RequestThread key={id} of={{ trace_id: id }} />
    </Prefetch>
  );
}
