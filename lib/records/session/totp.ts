import { Secret, TOTP } from "otpauth";

const ISSUER = "Signalbox";
const PERIOD_S = 30;
const SECRET_BYTES = 20;
const RECOVERY_CODE_BYTES = 15;
const RECOVERY_CODES = 10;
/** A code is accepted one period before and after its own, for clocks that differ. */
const WINDOW = 1;

const totp = (secret: string, label = "") =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_S });

export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the address that authenticator apps read from a QR code. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString();

/** Returns the time step of a valid code that is later than the last accepted one; null for any other code. */
export function acceptedStep(secret: string, code: string, now: Date, lastStep: number | null): number | null {
  const timestamp = now.getTime();
  const delta = totp(secret).validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  return lastStep !== null && step <= lastStep ? null : step;
}

/** Creates recovery codes with 120 random bits each, in groups of four characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    (new Secret({ size: RECOVERY_CODE_BYTES }).base32.toLowerCase().match(/.{4}/g) ?? []).join("-"),
  );

/** Returns a recovery code without the separators and capitals that people add. */
export const plainRecoveryCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, "");
