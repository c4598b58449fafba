export interface PickerOption {
  value: string;
  /** For people, where the value alone doesn't say it. */
  label?: string | undefined;
  group?: string | undefined;
}

export interface PickerMatches {
  options: readonly PickerOption[];
  /** How many fit in all; more than `options` when there are too many to show. */
  total: number;
  /** What was typed, when it is no option: may be added as it is. */
  added: string | null;
}

const MAX_SHOWN = 200;

export const splitEntries = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== "");

/** The options that contain every typed word, an exact one first, groups together. */
export function matchOptions(options: readonly PickerOption[], typed: string): PickerMatches {
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/);
  const fitting = options.filter(({ value, label, group }) => {
    const all = `${value} ${label ?? ""} ${group ?? ""}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const exact = options.find(({ value }) => value === text);
  const groups = [...new Set(fitting.map(({ group }) => group))];
  const ordered = groups.flatMap((group) => fitting.filter((option) => option.group === group));
  const shown = exact ? [exact, ...ordered.filter((option) => option !== exact)] : ordered;
  return { options: shown.slice(0, MAX_SHOWN), total: shown.length, added: text === "" || exact ? null : text };
}
