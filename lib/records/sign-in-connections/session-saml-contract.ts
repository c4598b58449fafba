import { z } from "zod";
import { IdParams, operation } from "../../platform/http/operation";
import { MAX_MESSAGE_BYTES } from "./vocabulary";

const Message = z.string().min(1).max(MAX_MESSAGE_BYTES);
const RelayState = z.string().max(1000).optional();

const connection = { tag: "Session", access: "public", params: IdParams, status: 200 } as const;
const redirect = { ...connection, redirects: true, result: z.undefined() } as const;

export const receiveSamlResponse = operation({
  ...redirect,
  id: "receiveSamlResponse",
  method: "POST",
  path: "/session/connections/{id}/saml",
  summary: "Receive a provider's SAML response (assertion consumer service); redirects to finish the sign-in",
  form: true,
  body: z.object({ SAMLResponse: Message, RelayState }),
  bodySize: "medium",
  errors: [429],
});

export const finishSamlSignIn = operation({
  ...redirect,
  id: "finishSamlSignIn",
  method: "GET",
  path: "/session/connections/{id}/saml",
  summary: "Finish a sign-in whose SAML response was received",
  query: z.object({
    state: z.string().max(1000).optional(),
    answer: z.string().max(100).optional(),
    problem: z.string().max(8000).optional(),
  }),
  errors: [429],
});

export const samlLogoutByRedirect = operation({
  ...redirect,
  id: "samlLogoutByRedirect",
  method: "GET",
  path: "/session/connections/{id}/saml-logout",
  summary: "Receive a provider's logout request or response by redirect (single logout service)",
  query: z.looseObject({ SAMLRequest: Message.optional(), SAMLResponse: Message.optional() }),
  errors: [429],
});

export const samlLogoutByPost = operation({
  ...redirect,
  id: "samlLogoutByPost",
  method: "POST",
  path: "/session/connections/{id}/saml-logout",
  summary: "Receive a provider's logout request or response as a form",
  form: true,
  body: z.object({ SAMLRequest: Message.optional(), SAMLResponse: Message.optional(), RelayState }),
  bodySize: "medium",
  errors: [429],
});

export const getSamlMetadata = operation({
  ...connection,
  id: "getSamlMetadata",
  method: "GET",
  path: "/session/connections/{id}/metadata",
  summary: "Get the SAML metadata to give to the identity provider",
  result: z.undefined(),
  downloads: ["application/samlmetadata+xml"],
  errors: [429],
});
