/** True while a pointer is pressed. */
let isPressed = false;

const RELEASES = ["pointerup", "pointercancel"] as const;

if (typeof window !== "undefined") {
  window.addEventListener("pointerdown", () => (isPressed = true), true);
  for (const release of RELEASES) window.addEventListener(release, () => (isPressed = false), true);
}

/**
 * Runs an action now or, while a pointer is pressed, after its release and before its click. Otherwise the action could move the control away from
 * the pointer, and the click would be lost.
 */
export function afterPress(action: () => void): void {
  if (!isPressed) {
    action();
    return;
  }
  const ended = new AbortController();
  for (const release of RELEASES)
    window.addEventListener(
      release,
      () => {
        ended.abort();
        action();
      },
      { signal: ended.signal },
    );
}
