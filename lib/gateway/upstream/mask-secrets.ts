import { BrokenResponse } from "../../engine/protocols/broken-response";

/** Shorter values, such as `none` for an upstream without authentication, are ordinary words, not secrets. */
const MIN_SECRET = 8;
/** Values of at least this length are masked within longer words, too, because they don't occur by chance. */
const MIN_UNIQUE = 20;

/** The boundaries of a word, which may follow an escape sequence of JSON such as \n. */
const START = String.raw`(?:(?<![\w-])|(?<=\\[bfnrt]))`;
const END = String.raw`(?![\w-])`;
const escaped = (secret: string): string => secret.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Replaces secrets in an upstream's text. */
export function maskSecrets(text: string, secrets: readonly (string | null)[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret === null || secret.length < MIN_SECRET) continue;
    if (secret.length >= MIN_UNIQUE) masked = masked.replaceAll(secret, "[secret]");
    else masked = masked.replaceAll(new RegExp(`${START}${escaped(secret)}${END}`, "g"), "[secret]");
  }
  return masked;
}

/** The secrets sent with the request of each successful response. */
const sentWith = new WeakMap<Response, readonly (string | null)[]>();

export const noteSecrets = (response: Response, secrets: readonly (string | null)[]): void =>
  void sentWith.set(response, secrets);

/** Returns an error that an upstream reports in a successful response, without secrets. */
export function withoutSecretsOf(response: Response | undefined, error: unknown): unknown {
  const secrets = response && sentWith.get(response);
  if (!secrets || !(error instanceof BrokenResponse)) return error;
  const { status, isReported } = error;
  return new BrokenResponse(
    maskSecrets(error.message, secrets),
    maskSecrets(error.raw, secrets),
    isReported ? { status } : undefined,
  );
}
