"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAssignmentCounts } from "@/components/guardrails/guardrail-queries";
import { Alert } from "@/components/ui/alert";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { apiQuery } from "@/lib/browser/api-query";
import { getWorkspace } from "@/lib/browser/operations/workspaces";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { AssignedList } from "./assigned-list";
import type { Kind } from "./assignment-plan";
import { PickDialog } from "./pick-dialog";

/** Assignments of a guardrail: explicit ones, or all keys as the workspace default. */
export function AssignmentsSection({ guardrail }: { guardrail: Guardrail }) {
  const [kind, setKind] = useState<Kind>("keys");
  const [isPicking, setPicking] = useState(false);
  const counts = useAssignmentCounts(guardrail.id);
  const workspace = useQuery(apiQuery(getWorkspace, { params: { id: guardrail.workspace_id } })).data?.data;
  return (
    <div className="grid gap-4">
      {workspace?.default_guardrail_id === guardrail.id && (
        <Alert kind="info" title={`Default for ${workspace.name}`}>
          Applies to every key in this workspace, in addition to guardrails of the key or its owner.
        </Alert>
      )}
      <div className="relative">
        <Tabs
          label="Assigned to"
          value={kind}
          onChange={setKind}
          items={[
            { value: "keys", label: "Keys", count: counts?.keys },
            { value: "members", label: "Members", count: counts?.members },
          ]}
        >
          <TabPanel value="keys">
            <AssignedList kind="keys" guardrail={guardrail} />
          </TabPanel>
          <TabPanel value="members">
            <AssignedList kind="members" guardrail={guardrail} />
          </TabPanel>
        </Tabs>
        <May permission="guardrails:write">
          <Button size="sm" className="absolute top-0.5 right-0" onClick={() => setPicking(true)}>
            Assign {kind}…
          </Button>
        </May>
      </div>
      {isPicking && <PickDialog kind={kind} guardrail={guardrail} onClose={() => setPicking(false)} />}
    </div>
  );
}
