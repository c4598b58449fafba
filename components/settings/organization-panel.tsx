"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { organizationQuery } from "./settings-queries";

const OrganizationForm = dynamic(() => import("./organization-form").then((file) => file.OrganizationForm), { loading: () => <Skeleton className="h-24 w-full max-w-md" /> });

export function OrganizationPanel() {
  const organization = useQuery(organizationQuery);
  return (
    <DataState query={organization} subject="the organization" skeleton={<Skeleton className="h-64 w-full" />}>
      {({ data }) => (
        <Card id="organization" title="Organization" className="grid gap-5">
          <OrganizationForm key={data.name} name={data.name} />
          <Facts
            facts={[
              { term: "Id", value: <MonoId value={data.id} name="organization id" /> },
              { term: "Created", value: <RelativeTime at={data.created_at} /> },
            ]}
          />
        </Card>
      )}
    </DataState>
  );
}
