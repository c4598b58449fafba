/** The values of a column for several rows, as one parameter of a PostgreSQL array type. */
export interface ArrayParameter {
  /** Type of the elements. */
  readonly type: string;
  readonly elements: readonly (string | null)[];
}

function quoted(value: string | null): string {
  if (value === null) return "NULL";
  const escaped = value.includes("\\") ? value.replaceAll("\\", "\\\\") : value;
  return `"${escaped.includes('"') ? escaped.replaceAll('"', '\\"') : escaped}"`;
}

/** The array in PostgreSQL's text format. */
export function arrayText({ elements }: ArrayParameter): string {
  let text = "";
  for (const element of elements) text += text === "" ? quoted(element) : `,${quoted(element)}`;
  return `{${text}}`;
}

/** Object IDs of the element types whose binary format is their text, and the bytes that precede it. */
const BINARY: Readonly<Record<string, { oid: number; version: number | null }>> = {
  text: { oid: 25, version: null },
  jsonb: { oid: 3802, version: 1 },
};
/** Number of characters above which the binary format costs less, because PostgreSQL reads the text format character by character. */
const LONG = 1024;
const HEADER_BYTES = 20;

/** Encodes the array for the driver: long texts and JSON in PostgreSQL's binary format, other values as text. */
export function arrayOnTheWire(array: ArrayParameter): string | Buffer {
  const binary = BINARY[array.type];
  if (!binary) return arrayText(array);
  let characters = 0;
  for (const element of array.elements) characters += element?.length ?? 0;
  return characters < LONG ? arrayText(array) : binaryArray(array.elements, binary);
}

/** One dimension of elements with their lengths, as `array_recv` reads it. */
function binaryArray(
  elements: readonly (string | null)[],
  { oid, version }: { oid: number; version: number | null },
): Buffer {
  const prefix = version === null ? 0 : 1;
  const lengths = elements.map((element) => (element === null ? -1 : Buffer.byteLength(element) + prefix));
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), HEADER_BYTES);
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeInt32BE(1);
  at = bytes.writeInt32BE(lengths.includes(-1) ? 1 : 0, at);
  at = bytes.writeInt32BE(oid, at);
  at = bytes.writeInt32BE(elements.length, at);
  at = bytes.writeInt32BE(1, at);
  for (const [index, element] of elements.entries()) {
    at = bytes.writeInt32BE(lengths[index] ?? -1, at);
    if (element === null) continue;
    if (version !== null) at = bytes.writeUInt8(version, at);
    at += bytes.write(element, at);
  }
  return bytes;
}
