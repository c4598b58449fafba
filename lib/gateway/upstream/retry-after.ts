/**
 * Parses `Retry-After`, in seconds or as a date, to milliseconds; null when absent. A date is compared with the
 * upstream's own clock.
 */
export function retryAfterMs(headers: Headers): number | null {
  const wish = headers.get("retry-after") ?? "";
  const ms = /^\d+(\.\d+)?$/.test(wish)
    ? Number(wish) * 1000
    : Date.parse(wish) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
