import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "./page-header";

/** Content of a page for an unknown URL, with a link to a known one. */
export const PageNotFound = ({ href, label }: { href: string; label: string }) => (
  <>
    <PageHeader title="Page not found" />
    <EmptyState
      icon="404"
      title="There is no page at this URL"
      action={
        <LinkButton href={href} variant="primary">
          {label}
        </LinkButton>
      }
    >
      It may have been moved or deleted, or the URL is wrong.
    </EmptyState>
  </>
);
