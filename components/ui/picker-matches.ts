export interface PickerOption {
  value: string;
  /** Display label, if it differs from the value. */
  label?: string | undefined;
  group?: string | undefined;
}

export interface PickerMatches {
  options: readonly PickerOption[];
  /** Total number of matches, possibly more than `options`. */
  total: number;
  /** The typed text, if it isn't an option and can be added. */
  added: string | null;
}

const MAX_SHOWN = 200;

export const splitEntries = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== "");

/** Options containing every typed word, exact match first, grouped. */
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
