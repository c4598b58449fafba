"use client";
import { Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { LimitsPanel } from "./limits-panel";
import { OrganizationPanel } from "./organization-panel";
import { SessionsPanel } from "./sessions-panel";
import { SETTINGS_STATE } from "./settings-state";
import { NewWorkspace, WorkspaceSheet } from "./workspace-sheet";
import { WorkspacesPanel } from "./workspaces-panel";

const TABS = [
  { value: "organization", label: "Organization" },
  { value: "workspaces", label: "Workspaces" },
  { value: "logging", label: "Logging & retention" },
  { value: "limits", label: "Limits" },
  { value: "sessions", label: "Sessions" },
] as const;

export function SettingsPage() {
  const [{ tab, edit }, setState] = useQueryStates(SETTINGS_STATE, { history: "push" });
  const { isAdmin } = useUser();
  const [isCreating, setCreating] = useState(false);
  const show = (next: typeof tab) => void setState({ tab: next, q: null, sort: null, offset: null, edit: null });
  const action = isAdmin && tab === "workspaces" && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New workspace
    </Button>
  );
  return (
    <>
      <PageHeader title="Settings" description="What holds for the whole organization and for each of its workspaces." action={action} />
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
        <TabPanel value="sessions">
          <SessionsPanel />
        </TabPanel>
      </Tabs>
      <NewWorkspace open={isCreating} onClose={() => setCreating(false)} />
      {edit !== null && <WorkspaceSheet key={edit} id={edit} onClose={() => void setState({ edit: null })} />}
    </>
  );
}
