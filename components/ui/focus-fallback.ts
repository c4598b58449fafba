/**
 * For `onCloseAutoFocus` of an overlay: when the element that had the focus before is gone, the focus goes to the page's
 * heading instead of getting lost.
 */
export function focusFallback(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
}
