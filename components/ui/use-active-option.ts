import { useState } from "react";

const PAGE = 10;

const STEPS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => (index >= last ? 0 : index + 1),
  ArrowUp: (index, last) => (index <= 0 ? last : index - 1),
  PageDown: (index, last) => Math.min(index + PAGE, last),
  PageUp: (index) => Math.max(index - PAGE, 0),
  Home: () => 0,
  End: (_, last) => last,
};

interface KeyPress {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** The option that Enter chooses. Focus stays in the field, and keys move the option. */
export function useActiveOption(count: number, first = 0) {
  const [moved, setActive] = useState<number | null>(null);
  const active = Math.min(moved ?? Math.max(first, 0), count - 1);
  /** Returns whether the key moves the active option. */
  const move = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress): boolean => {
    const step = STEPS[key];
    if (!step || altKey || ctrlKey || metaKey || shiftKey || count === 0) return false;
    setActive(step(active, count - 1));
    return true;
  };
  return { active, setActive, move };
}
