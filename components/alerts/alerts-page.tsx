"use client";
import { useQuery } from "@tanstack/react-query";
import { Bell, Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { isForbidden } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList } from "@/components/layout/resource-list";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { alertColumns } from "./alert-columns";
import { alertsQuery, ALERT_STATE, NEW_ALERT } from "./alert-queries";
import { Firings } from "./firings";

const AlertSheet = lazyComponent(() => import("./alert-sheet").then((file) => file.AlertSheet));
const NewAlert = lazyComponent(() => import("./alert-sheet").then((file) => file.NewAlert));

const TABS = [
  { value: "rules", label: "Rules" },
  { value: "history", label: "History" },
] as const;

/** Alert rules and their history. */
export function AlertsPage() {
  const [{ workspace, tab, state, alert, offset }, setState] = useQueryStates(ALERT_STATE, { history: "push" });
  const alerts = useQuery(alertsQuery(workspace));
  const canRead = !isForbidden(alerts);
  const workspaces = useWorkspaceNames(canRead);
  const open = (id: string) => void setState({ alert: id });
  const create = (
    <May permission="alerts:write">
      <Button variant="primary" onClick={() => open(NEW_ALERT)}>
        <Plus aria-hidden /> New alert
      </Button>
    </May>
  );
  const close = () => void setState({ alert: null });
  return (
    <>
      <PageHeader
        title="Alerts"
        description="Notify people about budgets, errors, blocked requests, latency and providers."
        action={canRead && create}
      />
      <Tabs
        label="Alerts"
        value={tab}
        onChange={(next) => void setState({ tab: next, offset: null, state: null })}
        items={TABS}
      >
        <TabPanel value="rules">
          <ResourceList
            label="Alerts"
            subject="alerts"
            query={alerts}
            columns={alertColumns(open, workspaces)}
            rowKey={({ id }) => id}
            skeletonRows={3}
            onOpen={({ id }) => open(id)}
            empty={
              <EmptyState icon={Bell} title="No alerts yet" action={create} isHeaderAction>
                An alert sends a message to Slack, email or a webhook when a threshold is reached and when the alert
                resolves.
              </EmptyState>
            }
          />
        </TabPanel>
        <TabPanel value="history">
          <Firings
            workspace={workspace}
            alert={null}
            state={state}
            offset={offset}
            onState={(next) => void setState({ state: next, offset: null })}
            onOffset={(next) => void setState({ offset: next })}
            onOpen={open}
          />
        </TabPanel>
      </Tabs>
      {canRead && alert === NEW_ALERT && <NewAlert onClose={close} onCreated={open} />}
      {canRead && alert !== null && alert !== NEW_ALERT && <AlertSheet key={alert} id={alert} onClose={close} />}
    </>
  );
}
