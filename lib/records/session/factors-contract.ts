import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { newName } from "../../platform/name-contract";

const MAX_CREDENTIAL_LENGTH = 20_000;
const base64url = z
  .string()
  .max(MAX_CREDENTIAL_LENGTH)
  .regex(/^[\w-]*$/, "must be base64url");

/** Result of `navigator.credentials` in a browser, as JSON. */
const PublicKeyCredential = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.record(z.string(), z.unknown()),
});

export const PasskeyRegistration = PublicKeyCredential.extend({
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(8).optional(),
  }),
});
export type PasskeyRegistration = z.output<typeof PasskeyRegistration>;

export const PasskeyAnswer = PublicKeyCredential.extend({
  response: z.looseObject({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
});
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>;

/** Options for `navigator.credentials`, as JSON. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() });

/** A code of an authenticator app, or a recovery code. */
export const SecondFactorCode = z.string().trim().min(6).max(64);

export const Passkey = z
  .object({
    id: Uuid,
    name: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: "Time of the last sign-in with it" }),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.output<typeof Passkey>;

export const AccountSecurity = z
  .object({
    totp_enabled: z.boolean().meta({ description: "Whether sign-in with a password requires a code" }),
    recovery_codes_left: z.number().int().min(0),
    passkeys: z.array(Passkey),
  })
  .meta({ id: "AccountSecurity" });
export type AccountSecurity = z.output<typeof AccountSecurity>;

const RecoveryCodes = envelope(
  z.object({
    recovery_codes: z.array(z.string()).meta({ description: "Each works once; shown only in this response" }),
  }),
);

export const ConfirmTotpBody = z.strictObject({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "must have 6 digits"),
});
export type ConfirmTotpBody = z.output<typeof ConfirmTotpBody>;

export const CreatePasskeyBody = z.strictObject({
  name: newName(100),
  credential: PasskeyRegistration,
});
export type CreatePasskeyBody = z.output<typeof CreatePasskeyBody>;

export const ReauthenticateBody = z
  .strictObject({
    password: z.string().min(1).max(200).optional(),
    code: SecondFactorCode.optional(),
    passkey: PasskeyAnswer.optional(),
  })
  .refine(
    ({ password, code, passkey }) => [password, code, passkey].filter((proof) => proof !== undefined).length === 1,
    "must contain one of password, code and passkey",
  );
export type ReauthenticateBody = z.output<typeof ReauthenticateBody>;

/** Operations on the signed-in member; keys have no account. */
const own = { tag: "Account", access: "session", status: 200 } as const;
const ownChange = { ...own, recentSignIn: true } as const;

export const getAccountSecurity = operation({
  ...own,
  id: "getAccountSecurity",
  method: "GET",
  path: "/account/security",
  summary: "Get the signed-in member's second factor and passkeys",
  result: envelope(AccountSecurity),
});

export const startTotp = operation({
  ...ownChange,
  id: "startTotp",
  method: "POST",
  path: "/account/totp",
  summary: "Create a secret for an authenticator app; it takes effect when a code confirms it",
  result: envelope(z.object({ secret: z.string(), uri: z.string() })),
  errors: [409],
});

export const confirmTotp = operation({
  ...ownChange,
  id: "confirmTotp",
  method: "POST",
  path: "/account/totp/confirmation",
  summary: "Turn on two-step verification with a code from the authenticator app; returns recovery codes",
  body: ConfirmTotpBody,
  result: RecoveryCodes,
  errors: [409, 429],
  example: { body: { code: "123456" } },
});

export const deleteTotp = operation({
  ...ownChange,
  id: "deleteTotp",
  method: "DELETE",
  path: "/account/totp",
  summary: "Turn off two-step verification, and delete the recovery codes",
  result: Deleted,
  errors: [404],
});

export const createRecoveryCodes = operation({
  ...ownChange,
  id: "createRecoveryCodes",
  method: "POST",
  path: "/account/recovery-codes",
  summary: "Replace the recovery codes",
  result: RecoveryCodes,
  errors: [409],
});

export const createPasskeyOptions = operation({
  ...ownChange,
  id: "createPasskeyOptions",
  method: "POST",
  path: "/account/passkeys/options",
  summary: "Get the options for creating a passkey",
  result: envelope(PasskeyOptions),
});

export const createPasskey = operation({
  ...ownChange,
  id: "createPasskey",
  method: "POST",
  path: "/account/passkeys",
  summary: "Add a passkey that a browser created",
  body: CreatePasskeyBody,
  status: 201,
  result: envelope(Passkey),
  errors: [409],
  example: {
    body: {
      name: "Laptop",
      credential: {
        id: "AA",
        rawId: "AA",
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON: "AA", attestationObject: "AA" },
      },
    },
  },
});

export const deletePasskey = operation({
  ...ownChange,
  id: "deletePasskey",
  method: "DELETE",
  path: "/account/passkeys/{id}",
  summary: "Remove one of the signed-in member's passkeys",
  params: IdParams,
  result: Deleted,
});

export const createReauthenticationOptions = operation({
  ...own,
  id: "createReauthenticationOptions",
  method: "POST",
  path: "/account/reauthentication/options",
  summary: "Get the options for using one of the signed-in member's passkeys",
  result: envelope(PasskeyOptions),
});

export const reauthenticate = operation({
  ...own,
  id: "reauthenticate",
  method: "POST",
  path: "/account/reauthentication",
  summary: "Confirm the signed-in member's identity by password, code or passkey",
  body: ReauthenticateBody,
  result: envelope(z.object({ authenticated_at: Timestamp })),
  errors: [429],
  example: { body: { password: "correct horse battery" } },
});
