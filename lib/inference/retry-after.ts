/** Milliseconds that an answer's `Retry-After` asks for: seconds, or a date by the upstream's own clock. Null when it says nothing. */
export function retryAfterMs(headers: Headers): number | null {
  const wish = headers.get("retry-after") ?? "";
  const ms = /^\d+(\.\d+)?$/.test(wish)
    ? Number(wish) * 1000
    : Date.parse(wish) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
