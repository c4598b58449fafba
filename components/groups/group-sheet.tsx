"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, type Control } from "react-hook-form";
import type { z } from "zod";
import { AuditLink } from "@/components/audit/audit-link";
import { DeleteDialog } from "@/components/form/delete-dialog";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { DataState } from "@/components/layout/data-state";
import { useRoleOptions } from "@/components/roles/role-queries";
import { WorkspaceRolesField } from "@/components/roles/workspace-roles-field";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/facts";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { CreateGroupBody, UpdateGroupBody, type Group } from "@/lib/records/groups/contract";
import { GroupMembers } from "./group-members";
import { groupQuery, useCreateGroup, useDeleteGroup, useUpdateGroup } from "./group-queries";

const checkCreation = formResolver<Values, z.output<typeof CreateGroupBody>>(CreateGroupBody);
const checkChange = formResolver(UpdateGroupBody);
type Values = z.input<typeof UpdateGroupBody>;

const EMPTY: Values = { name: "", role: null, claim_value: null, workspace_roles: [] };
const valuesOf = ({ name, role, claim_value, workspace_roles }: Group): Values => ({
  name,
  role,
  claim_value,
  workspace_roles,
});
const announce = ({ name }: Group) => toast.success(`Group “${name}” saved`);

interface NewGroupProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewGroup({ onClose, onCreated }: NewGroupProps) {
  const creation = useCreateGroup();
  const form = useForm<Values, unknown, z.output<typeof CreateGroupBody>>({
    resolver: checkCreation,
    defaultValues: EMPTY,
  });
  return (
    <SideSheet open onClose={onClose} title="New group">
      <MutationForm
        form={form}
        mutation={creation}
        onSaved={({ data }) => {
          announce(data);
          onCreated(data.id);
        }}
        action="Create group"
        isGuarded
      >
        <GroupFields control={form.control} isManual />
      </MutationForm>
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
            {canChange ? <EditGroup group={data} /> : <GroupFacts group={data} />}
            <GroupMembers group={data} />
            {canChange && data.source === "manual" && <DeleteGroup group={data} onDeleted={onClose} />}
          </div>
        )}
      </DataState>
    </SideSheet>
  );
}

function GroupFacts({ group }: { group: Group }) {
  const canSeeWorkspaces = useMay("workspaces:read");
  const workspaces = useWorkspaceNames(canSeeWorkspaces);
  const roles = useRoleOptions();
  const workspaceRoles = group.workspace_roles.map(({ workspace_id, role }) => {
    const { name = role } = roles.find(({ value }) => value === role) ?? {};
    return `${name} in ${workspaces.get(workspace_id) ?? workspace_id}`;
  });
  return (
    <Facts
      facts={[
        { term: "Role", value: group.role_name ?? "None" },
        { term: "Workspace roles", value: workspaceRoles.join(", ") || "None" },
        { term: "Group claim", value: group.claim_value },
      ]}
    />
  );
}

function EditGroup({ group }: { group: Group }) {
  const update = useUpdateGroup(group.id);
  const edit = useEditForm({ resolver: checkChange, stored: group, valuesOf, onSaved: announce });
  return (
    <MutationForm {...edit} mutation={update} action="Save changes">
      <GroupFields control={edit.form.control} isManual={group.source === "manual"} />
    </MutationForm>
  );
}

function DeleteGroup({ group, onDeleted }: { group: Group; onDeleted: () => void }) {
  const deletion = useDeleteGroup();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div>
      <Button className="text-danger" onClick={() => setDeleting(true)}>
        Delete group…
      </Button>
      {isDeleting && (
        <DeleteDialog
          id={group.id}
          name={group.name}
          action="Delete group"
          deletion={deletion}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        >
          Its members stay, and lose the group&apos;s roles.
        </DeleteDialog>
      )}
    </div>
  );
}

interface GroupFieldsProps {
  control: Control<Values>;
  /** False for a group whose name and members a directory decides. */
  isManual: boolean;
}

function GroupFields({ control, isManual }: GroupFieldsProps) {
  const roles = useRoleOptions();
  return (
    <>
      {isManual && <TextField control={control} name="name" label="Name" input={{ autoComplete: "off" }} />}
      <SelectField
        control={control}
        name="role"
        label="Role for the organization"
        hint="In addition to each member's own role."
        none="None"
        options={roles}
      />
      <WorkspaceRolesField control={control} name="workspace_roles" />
      {isManual && (
        <TextField
          control={control}
          name="claim_value"
          label="Group claim"
          hint="Value of the identity provider's groups claim that makes a member of the group at sign-in (optional)"
          isNullable
          input={{ autoComplete: "off" }}
        />
      )}
    </>
  );
}
