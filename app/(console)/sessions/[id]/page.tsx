import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { sessionThreadQuery } from "@/components/sessions/session-queries";
import { SessionThread } from "@/components/sessions/session-thread";

export const metadata: Metadata = { title: "Session" };

export default async function SessionPage({ params }: PageProps<{ id: string }>) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetch queries={[sessionThreadQuery(id)]}>
      <SessionThread key={id} id={id} />
    </Prefetch>
  );
}
