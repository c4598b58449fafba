import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { PageProps } from "@/app/page-props";
import { OperationReference } from "@/components/reference/operation-reference";
import { operationsOf } from "@/components/reference/reference-document";
import { readReference } from "../read-reference";

type OperationPageProps = PageProps<{ operation: string }>;

async function find(params: OperationPageProps["params"]) {
  const { operation: id } = await params;
  const document = await readReference();
  const operation = operationsOf(document).find(({ operationId }) => operationId === id);
  return operation ? { document, operation } : notFound();
}

export async function generateMetadata({ params }: OperationPageProps): Promise<Metadata> {
  const { operation } = await find(params);
  return { title: operation.summary };
}

export default async function OperationPage({ params }: OperationPageProps) {
  return <OperationReference {...await find(params)} />;
}
