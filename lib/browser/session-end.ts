import { signInPath } from "./sign-in-path";

let askAgain: (() => void) | null = null;

/** While a console page is open it asks for the password in place; returns how to stop. */
export function onSessionEnd(handler: () => void): () => void {
  askAgain = handler;
  return () => {
    if (askAgain === handler) askAgain = null;
  };
}

/** The server knows no session of this browser any more. */
export function reportSessionEnd(): void {
  if (askAgain) askAgain();
  else leaveToSignIn();
}

/** To the sign-in page, and from there back here. */
export const leaveToSignIn = (): void =>
  window.location.assign(signInPath(window.location.pathname + window.location.search));
