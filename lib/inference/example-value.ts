type Schema = Readonly<Record<string, unknown>>;

/** A schema may demand a million items; an example shows a few. */
const MAX_ITEMS = 10;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The simplest value that fits a JSON Schema, as far as the schema says it in plain keywords. */
export function exampleOf(schema: unknown, text: string): unknown {
  if (!isSchema(schema)) return text;
  for (const keyword of ["const", "default"]) if (keyword in schema) return schema[keyword];
  for (const keyword of ["enum", "examples", "anyOf", "oneOf"]) {
    const [first] = Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : [];
    if (first !== undefined) return keyword.endsWith("Of") ? exampleOf(first, text) : first;
  }
  const type: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "object":
      return exampleObject(schema, text);
    case "array":
      return Array.from({ length: Math.min(Number(schema["minItems"] ?? 0), MAX_ITEMS) }, () =>
        exampleOf(schema["items"], text),
      );
    case "number":
    case "integer":
      return Number(schema["minimum"] ?? 0);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return isSchema(schema["properties"]) ? exampleObject(schema, text) : text;
  }
}

function exampleObject({ properties, required }: Schema, text: string): Record<string, unknown> {
  const known = isSchema(properties) ? properties : {};
  const names = Array.isArray(required) ? required.map(String) : Object.keys(known);
  return Object.fromEntries(names.map((name) => [name, exampleOf(known[name], text)]));
}
