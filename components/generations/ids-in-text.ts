const GENERATION = /(?<![\w-])gen-\d{1,10}-[0-9A-Za-z]{20}(?![\w-])/;
const REQUEST = /(?<![\w-])req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/;
/** A caller's own id, which only its name tells from words: `"request_id":"checkout-17"`, `x-request-id: checkout-17`. */
const NAMED_REQUEST = /request[_ -]?id["']?\s*[:=]\s*["']?([\w.:-]{7,127}\w)/i;

export type FoundId = { generation: string } | { request: string };

/** The id of a generation, or else of a request, in a text such as an error or a line of a log. */
export function idIn(text: string): FoundId | null {
  const generation = GENERATION.exec(text)?.[0];
  if (generation) return { generation };
  const request = REQUEST.exec(text)?.[0] ?? NAMED_REQUEST.exec(text)?.[1];
  return request ? { request } : null;
}
