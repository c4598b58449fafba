import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "./page-header";

/** Content of a page for an unknown URL, with a link to a known one. */
export const PageNotFound = ({ action }: { action: ReactNode }) => (
  <>
    <PageHeader title="Page not found" />
    <EmptyState icon="404" title="There is no page at this URL" action={action}>
      It may have been moved or deleted, or the URL is wrong.
    </EmptyState>
  </>
);
