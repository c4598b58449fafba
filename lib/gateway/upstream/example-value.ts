type Schema = Readonly<Record<string, unknown>>;

/** Maximum number of array items in an example; a schema may demand a million. */
const MAX_ITEMS = 10;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the simplest value that satisfies a JSON Schema, considering basic keywords only. */
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
