import { signInPath } from "./sign-in-path";

let askAgain: (() => Promise<boolean>) | null = null;

/** Sets the handler that asks for the password while a console page is open; returns the unsubscribe function. */
export function onSessionEnd(handler: () => Promise<boolean>): () => void {
  askAgain = handler;
  return () => {
    if (askAgain === handler) askAgain = null;
  };
}

/** Called when the server no longer knows the browser's session; resolves to true once the same member has signed in again. */
export function reportSessionEnd(): Promise<boolean> {
  if (askAgain) return askAgain();
  leaveToSignIn();
  return Promise.resolve(false);
}

/** Navigates to the sign-in page, returning here afterwards. */
export const leaveToSignIn = (): void =>
  window.location.assign(signInPath(window.location.pathname + window.location.search));
