import type { KeyboardEvent } from "react";

/** Moves the focus between search and options with the arrow keys; Enter in the search takes the first option. */
export function onOptionKeys(event: KeyboardEvent<HTMLElement>, canTakeFirst: boolean): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")];
  const at = stops.indexOf(event.target as HTMLElement);
  const isSearch = event.target instanceof HTMLInputElement;
  if (at < 0 || event.nativeEvent.isComposing) return;
  if (event.key === "ArrowDown") stops[Math.min(at + 1, stops.length - 1)]?.focus();
  else if (event.key === "ArrowUp") stops[Math.max(at - 1, 0)]?.focus();
  else if (event.key === "Enter" && isSearch) {
    if (canTakeFirst) stops[at + 1]?.click();
  } else return;
  event.preventDefault();
}
