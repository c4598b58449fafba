/**
 * Repeats clicks on buttons, checkboxes and radio buttons that came before React had hydrated them, in their order, as soon as it has.
 * Links work without scripts. Text of this function is a script of the page, so it refers to nothing outside itself.
 */
export function repeatEarlyPresses(): void {
  const RETRY_MS = 50;
  const CONTROLS = "button, input[type=checkbox], input[type=radio]";
  /** A label passes its click on to its control. */
  const OTHERS = "a[href], label, summary, input, select, textarea";
  const early = new Set<HTMLElement>();

  /** React stops an event on its way to a part that isn't hydrated, after trying to hydrate it. */
  const isHydrated = (control: HTMLElement): boolean => {
    if (!Object.keys(document).some((name) => name.startsWith("__reactContainer$"))) return false;
    let isReached = false;
    const reach = () => (isReached = true);
    control.addEventListener("touchcancel", reach, true);
    control.dispatchEvent(new Event("touchcancel", { bubbles: true }));
    control.removeEventListener("touchcancel", reach, true);
    return isReached;
  };
  /** Menus open when a pointer is pressed, tabs when a mouse is, others when it is released. */
  const press = (control: HTMLElement) => {
    const options = { bubbles: true, cancelable: true, view: window };
    for (const state of ["down", "up"]) {
      control.dispatchEvent(new PointerEvent(`pointer${state}`, { ...options, pointerType: "mouse", isPrimary: true }));
      control.dispatchEvent(new MouseEvent(`mouse${state}`, options));
    }
    control.click();
  };
  const repeat = () => {
    for (const control of early) {
      if (control.isConnected && !isHydrated(control)) {
        setTimeout(repeat, RETRY_MS);
        return;
      }
      early.delete(control);
      if (control.isConnected) press(control);
    }
  };
  const onClick = (event: MouseEvent) => {
    if (!event.isTrusted || !(event.target instanceof Element)) return;
    const control = event.target.closest<HTMLElement>(`${CONTROLS}, ${OTHERS}`);
    if (!control?.matches(CONTROLS) || isHydrated(control)) return;
    event.preventDefault();
    event.stopPropagation();
    if (early.size === 0) setTimeout(repeat, RETRY_MS);
    early.add(control);
  };
  window.addEventListener("click", onClick, true);
}
