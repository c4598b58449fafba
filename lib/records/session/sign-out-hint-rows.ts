import "server-only";
import type { Env } from "../../platform/env";
import { decrypt, encrypt, secretKeysOf } from "../../platform/secrets";

const PURPOSE = "sign-out hints of sessions";

/** Encrypts what names a session to its identity provider, for the session's column. */
export const sealSignOutHint = ({ secretKey }: Env, sessionId: string, hint: string): string =>
  encrypt(secretKey, PURPOSE, sessionId, hint);

export const openSignOutHint = (settings: Env, sessionId: string, sealed: string): string =>
  decrypt(secretKeysOf(settings), PURPOSE, sessionId, sealed);
