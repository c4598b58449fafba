const ALIVE = "signalbox:alive";
/** Marks a part that comes alive later than its page. */
export const LATE = "data-late";

/** A text that was typed before React knew the field. */
interface EarlyField {
  earlyText?: string;
}

/**
 * A script that stands in the HTML before everything else: it notes the last click on a control until the page is alive, and the part
 * of it that the control is in, and clicks then. What is typed it notes for good, and no form is ever sent by the browser itself, its
 * fields in the address. Without it React puts its own values over the text, and the click is lost.
 */
export const HOLD_INPUT = `(() => {
  let isAlive = false, clicked = null;
  const isDead = (control) => !isAlive || control.closest("[${LATE}]") !== null;
  const onInput = ({ target }) => { if (target.matches("input, textarea")) target.earlyText = target.value; };
  const onClick = (event) => {
    const control = event.target.closest("button, input, [role=checkbox], [role=switch], [role=tab]");
    if (!control || control.matches("input:not([type=checkbox], [type=radio], [type=submit])") || !isDead(control)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    clicked = control;
  };
  document.addEventListener("input", onInput, true);
  document.addEventListener("submit", (event) => event.preventDefault(), true);
  document.addEventListener("click", onClick, true);
  document.addEventListener("${ALIVE}", () => {
    isAlive = true;
    const control = clicked;
    if (!control || isDead(control)) return;
    clicked = null;
    if (control.isConnected) control.click();
  });
})()`;

/** Says that the page, or a part of it, listens: after all effects of its first render, so that whoever watches a form does. */
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
