import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { directoryQuery } from "@/components/directory/directory-queries";
import { exportsQuery } from "@/components/exports/export-queries";
import { SettingsPage } from "@/components/settings/settings-page";
import {
  organizationQuery,
  sessionListQuery,
  workspaceListQuery,
  loadSettingsState,
} from "@/components/settings/settings-queries";
import { connectionsQuery } from "@/components/sign-in/connection-queries";
import { webhooksQuery } from "@/components/webhooks/webhook-queries";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ searchParams }: PageProps) {
  const state = await loadSettingsState(searchParams);
  const queries = {
    organization: organizationQuery,
    workspaces: workspaceListQuery(state),
    logging: workspaceListQuery(state),
    limits: organizationQuery,
    webhooks: webhooksQuery,
    exports: exportsQuery,
    code: organizationQuery,
    directory: directoryQuery,
    "sign-in": connectionsQuery,
    sessions: sessionListQuery(state.offset),
  } as const;
  return (
    <Prefetch queries={[queries[state.tab]]}>
      <SettingsPage />
    </Prefetch>
  );
}
