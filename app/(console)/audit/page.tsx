import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { requestTime } from "@/app/request-time";
import { AuditLog } from "@/components/audit/audit-log";
import { auditListQuery, loadAuditState } from "@/components/audit/audit-queries";

export const metadata: Metadata = { title: "Audit log" };

export default async function Page({ searchParams }: PageProps) {
  const state = await loadAuditState(searchParams);
  return (
    <Prefetch queries={[auditListQuery(state, requestTime())]}>
      <AuditLog />
    </Prefetch>
  );
}
