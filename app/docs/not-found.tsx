import type { Metadata } from "next";
import { PageNotFound } from "@/components/layout/page-not-found";

export const metadata: Metadata = { title: "Page not found" };

const ReferenceNotFound = () => <PageNotFound href="/docs" label="Back to API reference" />;
export default ReferenceNotFound;
