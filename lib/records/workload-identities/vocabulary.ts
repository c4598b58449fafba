/** Seconds that an exchanged key is valid. */
export const LIFETIME_SECONDS = { min: 60, default: 900, max: 3600 } as const;
/** Workload identities of a key. */
export const MOST_IDENTITIES = 20;

export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
/** Types of tokens that can be exchanged (RFC 8693, section 3). */
export const SUBJECT_TOKEN_TYPES = [
  "urn:ietf:params:oauth:token-type:jwt",
  "urn:ietf:params:oauth:token-type:id_token",
] as const;
export const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
