const END = "-----END CERTIFICATE-----";

/** Splits a PEM text after each certificate. Joining the parts gives the text back. */
export function certificatesIn(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (let at = rest.indexOf(END); at >= 0; at = rest.indexOf(END)) {
    const after = at + END.length;
    const next = after + rest.slice(after).search(/\S|$/);
    parts.push(rest.slice(0, next));
    rest = rest.slice(next);
  }
  return rest === "" ? parts : [...parts, rest];
}
