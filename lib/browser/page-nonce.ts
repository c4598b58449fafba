import { setNonce } from "get-nonce";

/** Returns the nonce for style sheets created in the browser; empty on the server, which creates none. */
export const pageNonce = (): string =>
  typeof document === "undefined" ? "" : (document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");

/** Sets the nonce for the style sheet with which open dialogs prevent scrolling. */
export const allowDialogStyles = (): void => setNonce(pageNonce());
