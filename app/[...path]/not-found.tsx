import type { Metadata } from "next";
import { PageNotFound } from "@/components/layout/page-not-found";

export const metadata: Metadata = { title: "Page not found" };

const UnknownNotFound = () => <PageNotFound href="/" label="Go to overview" />;
export default UnknownNotFound;
