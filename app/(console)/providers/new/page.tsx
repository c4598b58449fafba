import type { Metadata } from "next";
import { Prefetch } from "@/app/prefetch";
import { NewProvider } from "@/components/providers/new-provider";
import { catalogueQuery } from "@/components/providers/provider-queries";

export const metadata: Metadata = { title: "Add provider" };

export default function Page() {
  return (
    <Prefetch queries={[catalogueQuery]}>
      <NewProvider />
    </Prefetch>
  );
}
