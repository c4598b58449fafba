import { signInPath } from "./sign-in-path";

let askAgain: (() => void) | null = null;

/** Sets the handler that asks for the password while a console page is open; returns the unsubscribe function. */
export function onSessionEnd(handler: () => void): () => void {
  askAgain = handler;
  return () => {
    if (askAgain === handler) askAgain = null;
  };
}

/** Called when the server no longer knows the browser's session. */
export function reportSessionEnd(): void {
  if (askAgain) askAgain();
  else leaveToSignIn();
}

/** Navigates to the sign-in page, returning here afterwards. */
export const leaveToSignIn = (): void =>
  window.location.assign(signInPath(window.location.pathname + window.location.search));
