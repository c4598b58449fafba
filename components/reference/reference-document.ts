/** JSON Schema as far as the reference shows it: https://json-schema.org/draft/2020-12 */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  deprecated?: boolean;
  readOnly?: boolean;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

export interface DescribedOperation {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content & { description: string }>;
}

/** The OpenAPI document as this install writes it. */
export interface ReferenceDocument {
  openapi: string;
  info: { title: string; version: string; summary: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Omit<DescribedOperation, "method" | "path">>>;
  components: { schemas: Record<string, Schema> };
}

/** Every operation, in the document's order. */
export const operationsOf = ({ paths }: ReferenceDocument): DescribedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** The component that a schema refers to, with its name; the schema itself when it refers to none. */
export function resolve(
  { components }: Pick<ReferenceDocument, "components">,
  schema: Schema,
): { name: string | null; schema: Schema } {
  const name = schema.$ref?.split("/").at(-1) ?? null;
  return { name, schema: components.schemas[name ?? ""] ?? schema };
}

const jsonOf = (content: Content | undefined) => content?.content?.["application/json"];

export const requestOf = ({ requestBody }: DescribedOperation) => jsonOf(requestBody);

/** The schema of the answer that means success. */
export function answerOf({ responses }: DescribedOperation): { status: string; schema: Schema } | null {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const schema = jsonOf(success?.[1])?.schema;
  return success && schema ? { status: success[0], schema } : null;
}

/** What a value must be besides its type, in words. */
export function limitsOf(schema: Schema): string[] {
  const range = (from: number | undefined, to: number | undefined, unit: string) => {
    const most = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined;
    if (from === undefined && most === undefined) return [];
    if (from !== undefined && most !== undefined) return [`${from} to ${most}${unit}`];
    return [from === undefined ? `at most ${most}${unit}` : `at least ${from}${unit}`];
  };
  return [
    ...(schema.format ? [schema.format] : []),
    ...range(schema.minimum, schema.maximum, ""),
    ...range(schema.minLength, schema.maxLength, " characters"),
    ...range(schema.minItems, schema.maxItems, " entries"),
    ...(schema.enum ? [schema.enum.map((value) => JSON.stringify(value)).join(", ")] : []),
    ...("const" in schema ? [JSON.stringify(schema.const)] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ...(schema.readOnly ? ["read-only"] : []),
  ];
}

const isNull = ({ type }: Schema) => type === "null";

/** A schema without its null, the alternatives that are left, and whether null is allowed. */
export function withoutNull(schema: Schema): { isNullable: boolean; choices: Schema[] } {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const { description, deprecated } = schema;
    const left = choices.filter((choice) => !isNull(choice));
    return {
      isNullable: left.length < choices.length,
      choices:
        left.length === 1
          ? left.map((choice) => ({
              ...choice,
              ...(description && { description }),
              ...(deprecated && { deprecated }),
            }))
          : left,
    };
  }
  const types = [schema.type ?? []].flat();
  return { isNullable: types.length > 1 && types.includes("null"), choices: [schema] };
}
