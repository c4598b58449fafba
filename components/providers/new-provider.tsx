"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import { catalogueQuery } from "./provider-queries";

const NewProviderForm = lazyComponent(() => import("./new-provider-form").then((file) => file.NewProviderForm), {
  loading: () => <Skeleton className="h-128 w-full max-w-2xl" />,
});

export function NewProvider() {
  const catalogue = useQuery(catalogueQuery);
  const skeleton = <Skeleton className="h-128 w-full max-w-2xl" />;
  return (
    <>
      <PageHeader
        title="Add provider"
        description="An API that requests are routed to. Test the connection before or after saving."
      />
      <DataState query={catalogue} subject="adding providers" skeleton={skeleton}>
        {({ data }) => <NewProviderForm vendors={data} />}
      </DataState>
    </>
  );
}
