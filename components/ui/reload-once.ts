const RELOADED_AT = "signalbox:reloaded-at";
const LOOP_GUARD_MS = 60_000;

/**
 * Reloads the page after one of its scripts failed to load, because an upgrade replaces the build's files.
 * At most once a minute, so that a script that stays broken can't cause a loop.
 */
export function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < LOOP_GUARD_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
}
