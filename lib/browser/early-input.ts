const ALIVE = "signalbox:alive";

/** A text that was typed before React knew the field. */
interface EarlyField {
  earlyText?: string;
}

/**
 * A script that stands in the HTML before everything else: it notes the last click on a control until the page is alive, and clicks
 * then. What is typed it notes for good, and no form is ever sent by the browser itself, its fields in the address: parts of a page
 * come alive later than the rest. Without it React puts its own values over the text, and the click is lost.
 */
export const HOLD_INPUT = `(() => {
  let clicked = null;
  const onInput = ({ target }) => { if (target.matches("input, textarea")) target.earlyText = target.value; };
  const onClick = (event) => {
    const control = event.target.closest("button, input, [role=checkbox], [role=switch], [role=tab]");
    if (!control || control.matches("input:not([type=checkbox], [type=radio], [type=submit])")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    clicked = control;
  };
  document.addEventListener("input", onInput, true);
  document.addEventListener("submit", (event) => event.preventDefault(), true);
  document.addEventListener("click", onClick, true);
  document.addEventListener("${ALIVE}", () => {
    document.removeEventListener("click", onClick, true);
    if (clicked && clicked.isConnected) clicked.click();
  }, { once: true });
})()`;

/** Says that the page listens: after all effects of its first render, so that whoever watches a form does. */
export const releaseClicks = (): void => void setTimeout(() => document.dispatchEvent(new Event(ALIVE)));

/**
 * Types once more what was typed into a field before React knew it. The text is set by the prototype's setter, because React compares
 * with the last value that was set through the element itself.
 */
export function repeatEarlyText(field: (HTMLInputElement | HTMLTextAreaElement) & EarlyField): void {
  const { earlyText } = field;
  if (earlyText === undefined) return;
  delete field.earlyText;
  field.value = field.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, earlyText);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
