"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { AuditLink } from "@/components/audit/audit-link";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { DataState } from "@/components/layout/data-state";
import { useRoleOptions } from "@/components/roles/role-queries";
import { WorkspaceRolesField } from "@/components/roles/workspace-roles-field";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Facts } from "@/components/ui/facts";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { CreateGroupBody, type Group } from "@/lib/records/groups/contract";
import { GroupMembers } from "./group-members";
import { groupQuery, useCreateGroup, useDeleteGroup, useUpdateGroup } from "./group-queries";

const checkBody = formResolver(CreateGroupBody);
type Values = z.input<typeof CreateGroupBody>;
const FIELDS = ["name", "role", "claim_value", "workspace_roles"] as const;

interface NewGroupProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewGroup({ onClose, onCreated }: NewGroupProps) {
  const creation = useCreateGroup();
  return (
    <SideSheet open onClose={onClose} title="New group">
      <GroupForm
        values={{ name: "", role: null, claim_value: null, workspace_roles: [] }}
        mutation={creation}
        action="Create group"
        onDone={({ id }) => onCreated(id)}
      />
    </SideSheet>
  );
}

export function GroupSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const group = useQuery(groupQuery(id));
  const canChange = useMay("roles:write");
  return (
    <SideSheet
      open
      onClose={onClose}
      title={group.data?.data.name ?? "Group"}
      actions={group.data && <AuditLink type="group" id={id} />}
    >
      <DataState query={group} subject="this group" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => (
          <div className="grid gap-6">
            {canChange ? <EditGroup group={data} onClose={onClose} /> : <GroupFacts group={data} />}
            <GroupMembers group={data} />
          </div>
        )}
      </DataState>
    </SideSheet>
  );
}

const GroupFacts = ({ group }: { group: Group }) => (
  <Facts
    facts={[
      { term: "Role", value: group.role_name ?? "None" },
      { term: "Workspace roles", value: String(group.workspace_roles.length) },
      { term: "Group claim", value: group.claim_value },
    ]}
  />
);

function EditGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const { name, role, claim_value, workspace_roles } = group;
  const update = useUpdateGroup(group.id);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <GroupForm
        values={{ name, role, claim_value, workspace_roles }}
        mutation={update}
        action="Save changes"
        isEdit
        isNamed={group.source === "manual"}
        onDone={() => undefined}
      />
      {group.source === "manual" && (
        <div>
          <Button className="text-danger" onClick={() => setDeleting(true)}>
            Delete group…
          </Button>
        </div>
      )}
      {isDeleting && <DeleteGroup group={group} onClose={() => setDeleting(false)} onDeleted={onClose} />}
    </>
  );
}

interface GroupFormProps {
  values: Values;
  mutation: ReturnType<typeof useCreateGroup> | ReturnType<typeof useUpdateGroup>;
  action: string;
  isEdit?: boolean;
  /** False for a group whose name a directory decides. */
  isNamed?: boolean;
  onDone: (group: Group) => void;
}

function GroupForm({ values, mutation, action, isEdit = false, isNamed = true, onDone }: GroupFormProps) {
  const roles = useRoleOptions();
  const form = useForm<Values, unknown, z.output<typeof CreateGroupBody>>({
    resolver: checkBody,
    values,
    resetOptions: { keepDirtyValues: true },
  });
  const { control, formState } = form;
  const { dirtyFields } = formState;
  const changesOf = (body: z.output<typeof CreateGroupBody>) =>
    isEdit
      ? Object.fromEntries(FIELDS.filter((field) => dirtyFields[field]).map((field) => [field, body[field]]))
      : body;
  return (
    <MutationForm
      form={form}
      mutation={mutation as ReturnType<typeof useCreateGroup>}
      toVariables={(body) => changesOf(body) as z.output<typeof CreateGroupBody>}
      onSaved={({ data }) => {
        const { name, role, claim_value, workspace_roles } = data;
        form.reset({ name, role, claim_value, workspace_roles });
        toast.success(`Group “${data.name}” saved`);
        onDone(data);
      }}
      action={action}
      isEdit={isEdit}
      isGuarded
    >
      {isNamed && <TextField control={control} name="name" label="Name" input={{ autoComplete: "off" }} />}
      <SelectField
        control={control}
        name="role"
        label="Role for the organization"
        hint="In addition to each member's own role."
        none="None"
        options={roles}
      />
      <WorkspaceRolesField control={control} name="workspace_roles" />
      <TextField
        control={control}
        name="claim_value"
        label="Group claim"
        hint="Value of the identity provider's groups claim that makes a member of the group at sign-in (optional)"
        isNullable
        input={{ autoComplete: "off" }}
      />
    </MutationForm>
  );
}

interface DeleteGroupProps {
  group: Group;
  onClose: () => void;
  onDeleted: () => void;
}

function DeleteGroup({ group, onClose, onDeleted }: DeleteGroupProps) {
  const deletion = useDeleteGroup();
  const confirm = () =>
    deletion.mutate(group.id, {
      onSuccess: () => {
        toast.success(`Group “${group.name}” deleted`);
        onDeleted();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete “${group.name}”?`}
      action="Delete group"
      onConfirm={confirm}
      isPending={deletion.isPending}
    >
      <p>Its members stay, and lose the group&apos;s roles.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
