"use client";
import { useQuery } from "@tanstack/react-query";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { Editable } from "@/components/session/may";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MonoId } from "@/components/ui/mono-id";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { workspaceQuery } from "./settings-queries";

const WorkspaceForm = lazyComponent(() => import("./workspace-form").then((file) => file.WorkspaceForm), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

export function NewWorkspace({ onClose }: { onClose: () => void }) {
  return (
    <SideSheet open onClose={onClose} title="New workspace">
      <WorkspaceForm workspace={null} onDone={onClose} />
    </SideSheet>
  );
}

export function WorkspaceSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const workspace = useQuery(workspaceQuery(id));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={workspace.data?.data.name ?? "Workspace"}
      actions={workspace.data && <AuditLink type="workspace" id={id} />}
    >
      <DataState query={workspace} subject="this workspace" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => (
          <div className="grid gap-4">
            <p>
              <MonoId value={data.id} name="workspace ID" />
            </p>
            <Editable permission="workspaces:write">
              <WorkspaceForm workspace={data} onDone={onClose} />
            </Editable>
          </div>
        )}
      </DataState>
    </SideSheet>
  );
}
