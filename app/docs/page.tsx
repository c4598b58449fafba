import type { Metadata } from "next";
import { OperationIndex } from "@/components/reference/operation-index";
import { readReference } from "./read-reference";

export const metadata: Metadata = { title: "API reference" };

export default async function ReferencePage() {
  return <OperationIndex document={await readReference()} />;
}
