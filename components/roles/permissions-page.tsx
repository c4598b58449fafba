"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { Field } from "@/components/form/field";
import { DataState, NoAccess } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { RecordSelect } from "@/components/layout/record-select";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { AccessNav } from "./access-nav";
import { HeldPermissionsTable } from "./held-permissions";
import { memberPermissionsQuery } from "./role-queries";

/** What a member may do, and by which roles and groups. */
export function PermissionsPage() {
  const canSee = useMay("members:read");
  return (
    <>
      <PageHeader title="Permissions" description="What a member may do, and the roles and groups that permit it." />
      <AccessNav />
      {canSee ? <MemberPermissions /> : <NoAccess subject="permissions of members" permission="members:read" />}
    </>
  );
}

function MemberPermissions() {
  const [chosen, setChosen] = useQueryState("member");
  const ownId = useQuery(sessionQuery).data?.user.id;
  const userId = chosen ?? ownId ?? "";
  const permissions = useQuery({ ...memberPermissionsQuery(userId), enabled: userId !== "" });
  return (
    <div className="grid gap-4">
      <Field label="Member" errors={[]} className="max-w-md">
        {(control) => (
          <RecordSelect
            {...control}
            label="Member"
            value={userId === "" ? null : userId}
            onChange={(id) => void setChosen(id)}
            source={RECORD_SOURCES.user_id}
          />
        )}
      </Field>
      <DataState query={permissions} subject="permissions" skeleton={<Skeleton className="h-120" />}>
        {({ data }) => (
          <Card>
            <HeldPermissionsTable held={data} isLinked />
          </Card>
        )}
      </DataState>
    </div>
  );
}
