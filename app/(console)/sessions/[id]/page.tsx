import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { firstLogPageQuery } from "@/components/generations/generation-queries";
import { RequestThread } from "@/components/sessions/request-thread";

export const metadata: Metadata = { title: "Session" };

export default async function SessionPage({ params }: PageProps<{ id: string }>) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetch queries={[firstLogPageQuery({ filters: { session_id: id } })]}>
      <RequestThread key={id} of={{ session_id: id }} />
    </Prefetch>
  );
}
