import { Badge } from "@/components/ui/badge";
import { InlineCode } from "@/components/ui/inline-code";
import { limitsOf, resolve, withoutNull, type Components, type Schema } from "./reference-document";

const MOST_LEVELS = 6;

/** Short type description: `string`, `array of Guardrail`, `object or null`. */
function typeText(document: Components, given: Schema): string {
  const { isNullable, choices } = withoutNull(given);
  const words = choices.map((choice) => {
    const { name, schema } = resolve(document, choice);
    if (name) return name;
    const type =
      [schema.type ?? (schema.properties ? "object" : "any")].flat().find((word) => word !== "null") ?? "any";
    return type === "array" && schema.items ? `array of ${typeText(document, schema.items)}` : type;
  });
  return [...new Set(words), ...(isNullable ? ["null"] : [])].join(" or ");
}

/** Object schemas of a value or its items. */
function objectsIn(document: Components, given: Schema): { name: string | null; schema: Schema }[] {
  return withoutNull(given).choices.flatMap((choice) => {
    const resolved = resolve(document, choice);
    if (resolved.schema.properties) return [resolved];
    return resolved.schema.items ? objectsIn(document, resolved.schema.items) : [];
  });
}

interface SchemaViewProps {
  document: Components;
  schema: Schema;
  level?: number;
}

/** Properties of an object schema, with nested ones collapsed. */
export function SchemaView({ document, schema, level = 0 }: SchemaViewProps) {
  const objects = objectsIn(document, schema);
  if (objects.length === 0) return <p className="text-muted">{typeText(document, schema)}</p>;
  return (
    <div className="grid gap-3">
      {objects.map((object, index) => (
        <div key={index}>
          {objects.length > 1 && (
            <p className="mb-1 text-[13px] font-medium">{object.name ?? `Variant ${index + 1}`}</p>
          )}
          <ul className="divide-y rounded-md border">
            {Object.entries(object.schema.properties ?? {}).map(([name, property]) => (
              <Property
                key={name}
                document={document}
                name={name}
                schema={property}
                isRequired={object.schema.required?.includes(name) ?? false}
                level={level}
              />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

interface PropertyProps {
  document: Components;
  name: string;
  schema: Schema;
  isRequired: boolean;
  level: number;
}

export function Property({ document, name, schema: given, isRequired, level }: PropertyProps) {
  const { choices } = withoutNull(given);
  const { schema } = resolve(document, choices[0] ?? given);
  const limits = choices.length === 1 ? limitsOf({ ...schema, ...given }) : [];
  const hasInside = level < MOST_LEVELS && objectsIn(document, given).length > 0;
  return (
    <li className="grid gap-1 px-3 py-2">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <code className="font-mono text-[13px] font-medium break-all">{name}</code>
        <span className="text-[13px] text-muted">{typeText(document, given)}</span>
        {isRequired && <Badge tone="accent">Required</Badge>}
        {(schema.deprecated ?? given.deprecated) && <Badge tone="warning">Deprecated</Badge>}
      </p>
      {(given.description ?? schema.description) && (
        <p className="text-[13px]">
          <InlineCode text={given.description ?? schema.description ?? ""} />
        </p>
      )}
      {limits.length > 0 && <p className="text-[13px] break-words text-muted">{limits.join(" · ")}</p>}
      {hasInside && (
        <details className="mt-1">
          <summary className="w-fit rounded-sm text-[13px] text-accent">
            Fields of <span className="font-mono">{name}</span>
          </summary>
          <div className="mt-2">
            <SchemaView document={document} schema={given} level={level + 1} />
          </div>
        </details>
      )}
    </li>
  );
}
