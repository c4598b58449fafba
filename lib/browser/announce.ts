const HIDDEN = "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";

let region: HTMLElement | null = null;

/** Announces a text to screen readers, in a single live region outside the page. A region inside the page would stay exposed behind dialogs. */
export function announce(text: string): void {
  if (!region) {
    region = document.createElement("div");
    region.setAttribute("aria-live", "polite");
    region.style.cssText = HIDDEN;
    document.body.append(region);
  }
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
