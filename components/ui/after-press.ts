/** True while a pointer is pressed. */
let isPressed = false;

const RELEASES = ["pointerup", "pointercancel"] as const;

if (typeof window !== "undefined") {
  window.addEventListener("pointerdown", () => (isPressed = true), true);
  for (const release of RELEASES) window.addEventListener(release, () => (isPressed = false), true);
}

/**
 * Runs an action now, or when the pressed pointer is released and before its click: an action at once could move the pressed control away from
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
