"use client";
import Link from "next/link";
import { PageHeader } from "@/components/layout/page-header";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/text-link";
import { requestSnippet } from "@/components/snippets/request-snippets";
import { CodeBlock } from "@/components/ui/code-block";
import { useOrigin } from "@/lib/browser/use-origin";
import { MethodBadge } from "./method-badge";
import { operationsOf, type DescribedOperation, type ReferenceDocument } from "./reference-document";

/** All API operations, grouped by resource. */
export function OperationIndex({ document }: { document: ReferenceDocument }) {
  const operations = operationsOf(document);
  return (
    <>
      <PageHeader
        title="API reference"
        description={
          <>
            API of this installation, version {document.info.version}. Machine-readable:{" "}
            <TextLink href="/v1/openapi.json">OpenAPI {document.openapi}</TextLink>.
          </>
        }
      />
      <div className="grid gap-4">
        <Card
          id="first-request"
          title="First request"
          description="Works with any OpenAI client. Set its base URL to the one below and use an inference key."
        >
          <FirstRequest />
        </Card>
        {document.tags.map(({ name }) => (
          <Card key={name} id={name.toLowerCase().replaceAll(" ", "-")} title={name} className="p-0">
            <ul className="divide-y">
              {operations
                .filter(({ tags }) => tags.includes(name))
                .map((operation) => (
                  <Entry key={operation.operationId} operation={operation} />
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}

function Entry({ operation: { operationId, method, path, summary } }: { operation: DescribedOperation }) {
  return (
    <li className="relative grid items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 hover:bg-subtle/60 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Link
        href={`/docs/${operationId}`}
        prefetch={false}
        className="rounded-sm font-medium after:absolute after:inset-0"
      >
        {summary.replaceAll("`", "")}
      </Link>
      <span className="flex items-baseline gap-2">
        <MethodBadge method={method} />
        <code className="min-w-0 font-mono text-[13px] break-all text-muted">{path}</code>
      </span>
    </li>
  );
}

/** Code of a request that works without a provider. */
function FirstRequest() {
  const origin = useOrigin();
  const body = { model: "sandbox/echo", input: "Hello" };
  return (
    <CodeBlock label="First request" text={requestSnippet("curl", { origin, key: null, api: "responses", body })} />
  );
}
