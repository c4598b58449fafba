"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState, NoAccess } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useHomeWorkspace } from "@/components/session/use-home-workspace";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import { EditorSkeleton } from "./editor-skeleton";
import { guardrailQuery } from "./guardrail-queries";
import { copyOf, EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";
import { warningsText } from "./lint-text";

const GuardrailForm = lazyComponent(() => import("./guardrail-form").then((file) => file.GuardrailForm), {
  loading: EditorSkeleton,
});

interface NewGuardrailProps {
  /** ID of the guardrail to copy. */
  from: string | null;
  /** Target workspace; null for the default one. */
  workspace: string | null;
}

export function NewGuardrail({ from, workspace }: NewGuardrailProps) {
  const canEdit = useMay("guardrails:write");
  const home = useHomeWorkspace("guardrails:write");
  const [selected, setSelected] = useState(workspace);
  const chosen = selected ?? home;
  if (!canEdit) {
    return (
      <>
        <PageHeader title="New guardrail" />
        <NoAccess subject="creating guardrails" permission="guardrails:write" />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="New guardrail"
        description="Not enforced until assigned to a key or member."
        action={from === null && <WorkspaceSelect value={chosen} onChange={setSelected} />}
      />
      {from === null ? <Creation values={EMPTY_VALUES} workspace={chosen} /> : <Copy from={from} workspace={chosen} />}
    </>
  );
}

/** Shown if there are several workspaces. `value` is null for the default one. */
function WorkspaceSelect({ value, onChange }: { value: string | null; onChange: (workspace: string) => void }) {
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  if (workspaces.length < 2) return null;
  return (
    <label className="flex items-center gap-2">
      <span className="font-medium">Workspace</span>
      <Select
        className="w-48"
        value={value ?? workspaces.find(({ is_default }) => is_default)?.id ?? ""}
        onValueChange={onChange}
        options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </label>
  );
}

function Copy({ from, workspace }: NewGuardrailProps & { from: string }) {
  const original = useQuery(guardrailQuery(from));
  return (
    <DataState query={original} subject="the guardrail to copy" skeleton={<EditorSkeleton />}>
      {({ data }) => <Creation values={copyOf(data)} workspace={workspace ?? data.workspace_id} />}
    </DataState>
  );
}

function Creation({ values, workspace }: { values: GuardrailValues; workspace: string | null }) {
  const router = usePageRouter();
  return (
    <GuardrailForm
      start={{ guardrail: null, values, workspace }}
      onSaved={({ id, name }, warnings) => {
        toast.success(`“${name}” created`, {
          description: ["Next, assign it to keys or members.", warningsText(warnings)].filter(Boolean).join(" "),
        });
        router.push(`/guardrails/${id}`);
      }}
      assignments={
        <Card id="assignments" title="Assignments">
          <p className="text-muted">Create the guardrail first, then assign it to keys and members here.</p>
        </Card>
      }
    />
  );
}
