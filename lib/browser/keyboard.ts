const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * True if a key press is a shortcut of the page or of `within`: the focus isn't in a text field, no modifier is held, and no other
 * dialog or menu covers it.
 */
export function isShortcut(event: KeyboardEvent, within: Element | null = null): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return false;
  return [...document.querySelectorAll("[role=dialog], [role=alertdialog], [role=menu]")].every(
    (layer) => layer === within,
  );
}
