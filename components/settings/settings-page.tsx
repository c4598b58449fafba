"use client";
import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { PageHeader } from "@/components/layout/page-header";
import { useCreating } from "@/components/layout/use-creating";
import { meets, useUser, type Demand } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { createWorkspace } from "@/lib/browser/operations/workspaces";
import { LimitsPanel } from "./limits-panel";
import { OrganizationPanel } from "./organization-panel";
import { SETTINGS_STATE } from "./settings-queries";

const loading = () => <Skeleton className="h-64 w-full" />;
const SessionsPanel = lazyComponent(() => import("./sessions-panel").then((file) => file.SessionsPanel), { loading });
const WorkspacesPanel = lazyComponent(() => import("./workspaces-panel").then((file) => file.WorkspacesPanel), {
  loading,
});
const ExportsPanel = lazyComponent(
  () => import("@/components/exports/exports-panel").then((file) => file.ExportsPanel),
  { loading },
);
const WebhooksPanel = lazyComponent(
  () => import("@/components/webhooks/webhooks-panel").then((file) => file.WebhooksPanel),
  { loading },
);
const PolicyFilePanel = lazyComponent(() => import("./policy-file-panel").then((file) => file.PolicyFilePanel), {
  loading,
});
const DirectoryPanel = lazyComponent(
  () => import("@/components/directory/directory-panel").then((file) => file.DirectoryPanel),
  { loading },
);
const ConnectionsPanel = lazyComponent(
  () => import("@/components/sign-in/connections-panel").then((file) => file.ConnectionsPanel),
  { loading },
);
const ConnectionSheet = lazyComponent(() =>
  import("@/components/sign-in/connection-sheet").then((file) => file.ConnectionSheet),
);
const NewConnection = lazyComponent(() =>
  import("@/components/sign-in/new-connection").then((file) => file.NewConnection),
);
const WebhookSheet = lazyComponent(() =>
  import("@/components/webhooks/webhook-sheet").then((file) => file.WebhookSheet),
);
const WorkspaceSheet = lazyComponent(() => import("./workspace-sheet").then((file) => file.WorkspaceSheet));
const NewWorkspace = lazyComponent(() => import("./workspace-sheet").then((file) => file.NewWorkspace));
const ExportSheet = lazyComponent(() => import("@/components/exports/export-sheet").then((file) => file.ExportSheet));
const NewExport = lazyComponent(() => import("@/components/exports/export-sheet").then((file) => file.NewExport));
const NewWebhook = lazyComponent(() => import("@/components/webhooks/new-webhook").then((file) => file.NewWebhook));

const TABS = [
  { value: "organization", label: "Organization" },
  { value: "workspaces", label: "Workspaces" },
  { value: "logging", label: "Logging & retention" },
  { value: "limits", label: "Limits" },
  { value: "webhooks", label: "Webhooks" },
  { value: "exports", label: "Exports" },
  { value: "code", label: "Policy as code" },
  { value: "directory", label: "Directory" },
  { value: "sign-in", label: "Sign-in" },
  { value: "sessions", label: "Sessions" },
] as const;

/** Nouns of the tabs that create something. */
const NOUNS: Partial<Record<(typeof TABS)[number]["value"], { name: string; demand: Demand }>> = {
  workspaces: { name: "workspace", demand: createWorkspace },
  webhooks: { name: "webhook", demand: "organization:write" },
  exports: { name: "destination", demand: "organization:write" },
  "sign-in": { name: "identity provider", demand: "sign_in:write" },
};

export function SettingsPage() {
  const [{ tab, edit, webhook, export: destination, connection }, setState] = useQueryStates(SETTINGS_STATE, {
    history: "push",
  });
  const user = useUser();
  const [wasAsked, setCreating] = useCreating();
  const show = (next: typeof tab) =>
    void setState({
      tab: next,
      q: null,
      sort: null,
      offset: null,
      edit: null,
      webhook: null,
      export: null,
      connection: null,
    });
  const noun = NOUNS[tab];
  const canCreate = noun !== undefined && meets(user, noun.demand);
  const isCreating = canCreate && wasAsked;
  const openExport = (id: string) => void setState({ export: id });
  const openConnection = (id: string) => void setState({ connection: id });
  const action = canCreate && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New {noun.name}
    </Button>
  );
  const endCreating = () => setCreating(false);
  return (
    <>
      <PageHeader title="Settings" description="Organization and workspace settings." action={action} />
      <Tabs label="Settings" value={tab} onChange={show} items={TABS}>
        <TabPanel value="organization">
          <OrganizationPanel />
        </TabPanel>
        <TabPanel value="workspaces">
          <WorkspacesPanel view="all" />
        </TabPanel>
        <TabPanel value="logging">
          <WorkspacesPanel view="logging" />
        </TabPanel>
        <TabPanel value="limits">
          <LimitsPanel />
        </TabPanel>
        <TabPanel value="webhooks">
          <WebhooksPanel onOpen={(id) => void setState({ webhook: id })} onNew={() => setCreating(true)} />
        </TabPanel>
        <TabPanel value="exports">
          <ExportsPanel onOpen={openExport} onNew={() => setCreating(true)} />
        </TabPanel>
        <TabPanel value="code">
          <PolicyFilePanel />
        </TabPanel>
        <TabPanel value="directory">
          <DirectoryPanel />
        </TabPanel>
        <TabPanel value="sign-in">
          <ConnectionsPanel onOpen={openConnection} onNew={() => setCreating(true)} />
        </TabPanel>
        <TabPanel value="sessions">
          <SessionsPanel />
        </TabPanel>
      </Tabs>
      {isCreating && tab === "workspaces" && <NewWorkspace onClose={endCreating} />}
      {isCreating && tab === "webhooks" && <NewWebhook onClose={endCreating} />}
      {isCreating && tab === "exports" && (
        <NewExport
          onClose={endCreating}
          onCreated={(id) => {
            endCreating();
            openExport(id);
          }}
        />
      )}
      {isCreating && tab === "sign-in" && (
        <NewConnection
          onClose={endCreating}
          onCreated={(id) => {
            endCreating();
            openConnection(id);
          }}
        />
      )}
      {connection !== null && (
        <ConnectionSheet key={connection} id={connection} onClose={() => void setState({ connection: null })} />
      )}
      {destination !== null && (
        <ExportSheet key={destination} id={destination} onClose={() => void setState({ export: null })} />
      )}
      {webhook !== null && <WebhookSheet key={webhook} id={webhook} onClose={() => void setState({ webhook: null })} />}
      {edit !== null && <WorkspaceSheet key={edit} id={edit} onClose={() => void setState({ edit: null })} />}
    </>
  );
}
