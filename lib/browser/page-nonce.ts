import { setNonce } from "get-nonce";

/** The nonce that the page's policy asks of style sheets made in the browser; none on the server, which makes none. */
export const pageNonce = (): string =>
  typeof document === "undefined" ? "" : (document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");

/** Has open dialogs, which keep the page from scrolling by a style sheet of their own, carry the nonce. */
export const allowDialogStyles = (): void => setNonce(pageNonce());
