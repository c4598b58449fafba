import ts from "typescript";

/** A request that a vendor's types allow: the smallest one with another value at one place. */
export interface VendorBody {
  /** Place and value: `tools[].type=function`. */
  name: string;
  body: Readonly<Record<string, unknown>>;
}

interface Variant {
  name: string;
  value: unknown;
}

/** A value, and a kind with a text, that later versions of a vendor's API may add. */
export const LATER_VALUE = "project falcon";

/** Matches the names of bodies with a value or kind that isn't in the vendor's types yet. */
export const LATER = /[=(]new\)?(?:$|\.)/;

/** Depth to which values of objects are varied. */
const DEPTH = 4;

/**
 * Returns bodies by the type of a request in a vendor's package, read with the TypeScript compiler. Each optional
 * field, each member of each union and each literal occurs in one of them.
 */
export function vendorBodies(declaration: string, typeName: string): VendorBody[] {
  const program = ts.createProgram([declaration], {
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es5.d.ts"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(declaration);
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === typeName);
  if (!source || !symbol) throw new Error(`${declaration} exports no ${typeName}`);
  const root = checker.getDeclaredTypeOfSymbol(symbol);

  const fieldsOf = (type: ts.Type) =>
    checker.getPropertiesOfType(type).map((property) => ({
      name: property.name,
      isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      type: checker.getTypeOfSymbolAtLocation(property, source),
    }));

  /** Returns the members of a union with a single null, or the type itself. */
  const members = (type: ts.Type): readonly ts.Type[] =>
    type.isUnion() ? type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined)) : [type];

  const elementOf = (type: ts.Type): ts.Type | undefined => {
    const name = type.getSymbol()?.name;
    return name === "Array" || name === "ReadonlyArray"
      ? checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined;
  };

  /** Returns the smallest value of a type. */
  function smallest(type: ts.Type, depth = 0): unknown {
    const [whole] = leaf(type);
    return whole ? whole.value : composite(type, depth);
  }

  function composite(type: ts.Type, depth: number): unknown {
    const [first = type] = members(type);
    if (first !== type) return smallest(first, depth);
    const element = elementOf(type);
    if (element) return depth > 8 ? [] : [smallest(element, depth + 1)];
    if (depth > 10) return {};
    return Object.fromEntries(
      fieldsOf(type).flatMap((field) => (field.isOptional ? [] : [[field.name, smallest(field.type, depth + 1)]])),
    );
  }

  /** Returns the value of a type without parts. */
  function leaf(type: ts.Type): Variant[] {
    if (type.flags & ts.TypeFlags.NonPrimitive) return [{ name: "", value: {} }];
    if (type.isStringLiteral() || type.isNumberLiteral()) return [{ name: `=${type.value}`, value: type.value }];
    const { flags } = type;
    if (flags & ts.TypeFlags.BooleanLiteral) {
      const value = checker.typeToString(type) === "true";
      return [{ name: `=${value}`, value }];
    }
    if (flags & ts.TypeFlags.String || type.isIntersection()) return [{ name: "", value: "text" }];
    if (flags & ts.TypeFlags.Number) return [{ name: "", value: 1 }];
    if (flags & ts.TypeFlags.Null) return [{ name: "=null", value: null }];
    if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return [{ name: "", value: {} }];
    return [];
  }

  /** Returns values or kinds that a later version of the vendor's API may add to a union. */
  function further(known: readonly ts.Type[]): Variant[] {
    const isOpen = known.some(({ flags }) => flags & ts.TypeFlags.String);
    const kinds = known.filter((member) => member.getProperty("type"));
    return [
      ...(known.some((member) => member.isStringLiteral()) && !isOpen ? [{ name: "=new", value: LATER_VALUE }] : []),
      ...(kinds.length > 1 ? [{ name: "(new)", value: { type: LATER_VALUE, note: LATER_VALUE } }] : []),
    ];
  }

  function variants(type: ts.Type, depth: number, seen: ReadonlySet<ts.Type>): Variant[] {
    if (type.isUnion())
      return [...members(type).flatMap((member) => variants(member, depth, seen)), ...further(members(type))];
    const values = leaf(type);
    if (values.length > 0) return values;
    const element = elementOf(type);
    if (element)
      return variants(element, depth, seen).map(({ name, value }) => ({ name: `[]${name}`, value: [value] }));
    const smallestValue = smallest(type);
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (index)
      return variants(index, depth, seen).map(({ name, value }) => ({ name: `.*${name}`, value: { key: value } }));
    const kind = kindOf(smallestValue);
    const itself = { name: kind, value: smallestValue };
    if (depth === DEPTH || seen.has(type)) return [itself];
    const inside = new Set([...seen, type]);
    return [
      itself,
      ...fieldsOf(type).flatMap((field) =>
        variants(field.type, depth + 1, inside).map(({ name, value }) => ({
          name: `${kind}.${field.name}${name}`,
          value: { ...(smallestValue as object), [field.name]: value },
        })),
      ),
    ];
  }

  const all = variants(root, 0, new Set());
  return [
    ...new Map(
      all.map(({ name, value }) => [JSON.stringify(value), { name, body: value as Record<string, unknown> }]),
    ).values(),
  ];
}

/** Returns the type or role of an object, by which the members of a union differ. */
function kindOf(value: unknown): string {
  const { type, role } = value as { type?: unknown; role?: unknown };
  const kind = type ?? role;
  return typeof kind === "string" ? `(${kind})` : "";
}
