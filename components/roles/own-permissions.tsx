"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { HeldPermissionsTable } from "./held-permissions";
import { ownPermissionsQuery } from "./role-queries";

/** What the signed-in member may do. */
export function OwnPermissions() {
  const permissions = useQuery(ownPermissionsQuery);
  const canSeeRoles = useMay("members:read");
  return (
    <Card
      id="permissions"
      title="Your permissions"
      description="What you may do, and the roles and groups that permit it."
    >
      <DataState query={permissions} subject="your permissions" skeleton={<Skeleton className="h-64" />}>
        {({ data }) => <HeldPermissionsTable held={data} isLinked={canSeeRoles} />}
      </DataState>
    </Card>
  );
}
