import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import type { z } from "zod";
import { ApiFailure } from "@/lib/browser/api-failure";
import { PasskeyAnswer, PasskeyRegistration } from "@/lib/records/session/factors-contract";
import type { PasskeyOptions } from "@/lib/records/session/factors-contract";

type Options = z.output<typeof PasskeyOptions>;

/** False where browsers don't offer passkeys: without https (except on localhost), and on an IP address. */
export const supportsPasskeys = (): boolean =>
  browserSupportsWebAuthn() && window.isSecureContext && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Browsers don't distinguish a dismissed prompt from a missing passkey. */
function refuse(error: unknown): never {
  if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    throw new ApiFailure(-1, "This device already has a passkey for your account");
  if (error instanceof Error) throw new ApiFailure(-1, "No passkey was used. Try again, or choose another way");
  throw error;
}

/** Asks the browser to sign the challenge with a passkey. */
export const askForPasskey = async (options: Options): Promise<PasskeyAnswer> =>
  PasskeyAnswer.parse(
    await startAuthentication({
      optionsJSON: options,
    }).catch(refuse),
  );

/** Asks the browser to create a passkey. */
export const createPasskeyOnDevice = async (options: Options): Promise<PasskeyRegistration> =>
  PasskeyRegistration.parse(
    await startRegistration({
      optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]["optionsJSON"],
    }).catch(refuse),
  );
