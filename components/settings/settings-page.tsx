"use client";
import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { WebhooksPanel } from "@/components/webhooks/webhooks-panel";
import { LimitsPanel } from "./limits-panel";
import { OrganizationPanel } from "./organization-panel";
import { PolicyFilePanel } from "./policy-file-panel";
import { SessionsPanel } from "./sessions-panel";
import { SETTINGS_STATE } from "./settings-state";
import { WorkspacesPanel } from "./workspaces-panel";

const WebhookSheet = lazyComponent(() =>
  import("@/components/webhooks/webhook-sheet").then((file) => file.WebhookSheet),
);
const WorkspaceSheet = lazyComponent(() => import("./workspace-sheet").then((file) => file.WorkspaceSheet));
const NewWorkspace = lazyComponent(() => import("./workspace-sheet").then((file) => file.NewWorkspace));
const NewWebhook = lazyComponent(() => import("@/components/webhooks/new-webhook").then((file) => file.NewWebhook));

const TABS = [
  { value: "organization", label: "Organization" },
  { value: "workspaces", label: "Workspaces" },
  { value: "logging", label: "Logging & retention" },
  { value: "limits", label: "Limits" },
  { value: "webhooks", label: "Webhooks" },
  { value: "code", label: "Policy as code" },
  { value: "sessions", label: "Sessions" },
] as const;

export function SettingsPage() {
  const [{ tab, edit, webhook }, setState] = useQueryStates(SETTINGS_STATE, { history: "push" });
  const { isAdmin } = useUser();
  const [isCreating, setCreating] = useState(false);
  const show = (next: typeof tab) =>
    void setState({ tab: next, q: null, sort: null, offset: null, edit: null, webhook: null });
  const noun = tab === "workspaces" ? "workspace" : tab === "webhooks" ? "webhook" : null;
  const action = isAdmin && noun !== null && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New {noun}
    </Button>
  );
  const endCreating = () => setCreating(false);
  return (
    <>
      <PageHeader title="Settings" description="Organization and workspace settings" action={action} />
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
        <TabPanel value="code">
          <PolicyFilePanel />
        </TabPanel>
        <TabPanel value="sessions">
          <SessionsPanel />
        </TabPanel>
      </Tabs>
      {isCreating && noun === "workspace" && <NewWorkspace onClose={endCreating} />}
      {isCreating && noun === "webhook" && <NewWebhook onClose={endCreating} />}
      {webhook !== null && <WebhookSheet key={webhook} id={webhook} onClose={() => void setState({ webhook: null })} />}
      {edit !== null && <WorkspaceSheet key={edit} id={edit} onClose={() => void setState({ edit: null })} />}
    </>
  );
}
