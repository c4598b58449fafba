import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { alertsQuery, firingsQuery, loadAlertState } from "@/components/alerts/alert-queries";
import { AlertsPage } from "@/components/alerts/alerts-page";

export const metadata: Metadata = { title: "Alerts" };

export default async function Page({ searchParams }: PageProps) {
  const { workspace, tab, state, offset } = await loadAlertState(searchParams);
  const queries = [
    alertsQuery(workspace),
    ...(tab === "history" ? [firingsQuery({ workspace, alert: null, state, offset })] : []),
  ];
  return (
    <Prefetch queries={queries}>
      <AlertsPage />
    </Prefetch>
  );
}
