const formats = (timeZone: string) => {
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone } as const;
  return {
    time: new Intl.DateTimeFormat("en", time),
    dated: new Intl.DateTimeFormat("en", { day: "numeric", month: "short", ...time }),
    day: new Intl.DateTimeFormat("en", { dateStyle: "short", timeZone }),
  };
};
const inZone = new Map<string, ReturnType<typeof formats>>();

function formatsOf(timeZone: string): ReturnType<typeof formats> {
  const known = inZone.get(timeZone) ?? formats(timeZone);
  inZone.set(timeZone, known);
  return known;
}

/** "14:03:07", or "Nov 3, 14:03:07" with the date. */
export const clockText = (at: string, timeZone: string, hasDate: boolean): string =>
  formatsOf(timeZone)[hasDate ? "dated" : "time"].format(new Date(at));

/** True if a range, whose end is exclusive, has more than one day. One without a start has many. */
export function spansDays(from: string | undefined, to: string | undefined, now: number, timeZone: string): boolean {
  const start = Date.parse(from ?? "");
  const end = to === undefined ? now : Date.parse(to) - 1;
  if (Number.isNaN(start) || Number.isNaN(end)) return true;
  const { day } = formatsOf(timeZone);
  return day.format(start) !== day.format(end);
}
