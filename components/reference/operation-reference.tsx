import { PageHeader } from "@/components/layout/page-header";
import { Card } from "@/components/ui/card";
import { InlineCode } from "@/components/ui/inline-code";
import { MethodBadge } from "./method-badge";
import {
  answerOf,
  requestOf,
  type Components,
  type DescribedOperation,
  type Parameter,
  type ReferenceDocument,
} from "./reference-document";
import { Property, SchemaView } from "./schema-view";
import { TryIt } from "./try-it";

interface OperationReferenceProps {
  document: ReferenceDocument;
  operation: DescribedOperation;
}

/** Reference of one operation, with a form to try it. */
export function OperationReference({ document, operation }: OperationReferenceProps) {
  const { method, path, summary, description, parameters, responses } = operation;
  const components: Components = { components: { schemas: document.components.schemas } };
  const request = requestOf(operation);
  const answer = answerOf(operation);
  return (
    <>
      <PageHeader
        title={summary.replaceAll("`", "")}
        description={
          <span className="flex flex-wrap items-center gap-2">
            <MethodBadge method={method} />
            <code className="min-w-0 font-mono text-[13px] break-all">/v1{path}</code>
            <span>
              <InlineCode text={description} />
            </span>
          </span>
        }
      />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid gap-4">
          <Parameters
            id="parameters"
            title="Parameters"
            document={components}
            parameters={parameters.filter(({ in: where }) => where !== "header")}
          />
          {request && (
            <Card id="body" title="Body">
              <SchemaView document={components} schema={request.schema} />
            </Card>
          )}
          {answer && (
            <Card id="response" title={`Response ${answer.status}`}>
              <SchemaView document={components} schema={answer.schema} />
            </Card>
          )}
          <Parameters
            id="headers"
            title="Headers"
            document={components}
            parameters={parameters.filter(({ in: where }) => where === "header")}
          />
          <Card id="errors" title="Errors">
            <ul className="grid gap-1.5">
              {Object.entries(responses)
                .filter(([status]) => status >= "400")
                .map(([status, { description: text }]) => (
                  <li key={status} className="flex gap-3 text-[13px]">
                    <code className="font-mono">{status}</code>
                    <span className="text-muted">
                      <InlineCode text={text} />
                    </span>
                  </li>
                ))}
            </ul>
          </Card>
        </div>
        <TryIt
          method={method}
          path={path}
          parameters={parameters}
          body={request ? JSON.stringify(request.example ?? {}, null, 2) : null}
        />
      </div>
    </>
  );
}

interface ParametersProps {
  id: string;
  title: string;
  document: Components;
  parameters: readonly Parameter[];
}

function Parameters({ id, title, document, parameters }: ParametersProps) {
  if (parameters.length === 0) return null;
  return (
    <Card id={id} title={title}>
      <ul className="divide-y rounded-md border">
        {parameters.map(({ name, description, schema, required }) => (
          <Property
            key={name}
            document={document}
            name={name}
            schema={{ ...schema, ...(description && { description }) }}
            isRequired={required}
            level={0}
          />
        ))}
      </ul>
    </Card>
  );
}
