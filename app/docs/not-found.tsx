import type { Metadata } from "next";
import { PageNotFound } from "@/components/layout/page-not-found";
import { LinkButton } from "@/components/ui/link-button";

export const metadata: Metadata = { title: "Page not found" };

export default function ReferenceNotFound() {
  return (
    <PageNotFound
      action={
        <LinkButton href="/docs" variant="primary">
          Back to API reference
        </LinkButton>
      }
    />
  );
}
