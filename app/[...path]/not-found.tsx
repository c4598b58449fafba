import type { Metadata } from "next";
import { PageNotFound } from "@/components/layout/page-not-found";
import { LinkButton } from "@/components/ui/link-button";

export const metadata: Metadata = { title: "Page not found" };

export default function UnknownNotFound() {
  return (
    <PageNotFound
      action={
        <LinkButton href="/" variant="primary">
          Go to overview
        </LinkButton>
      }
    />
  );
}
