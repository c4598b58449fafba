import { joined, type Authentication, type Kind, type Unsigned } from "./kind";

const SERVICE = "bedrock";

/** Returns the address of Bedrock's control plane, which lists models. Hosts outside AWS serve both planes. */
const controlPlane = (baseUrl: string): string => baseUrl.replace(/^https:\/\/bedrock-runtime\./, "https://bedrock.");

/** Amazon Bedrock. Requests are signed with an access key (Signature Version 4), or carry a Bedrock API key. */
export const bedrock: Kind = {
  urlOf: ({ baseUrl }, { path }) => joined(baseUrl, path),
  modelsUrlOf: ({ baseUrl }) => joined(controlPlane(baseUrl), "/foundation-models"),
  authenticate: ({ apiKey, named }, request, { site, now }): Authentication | Promise<Authentication> => {
    if (apiKey !== null) return { authorization: `Bearer ${apiKey}` };
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken } = named;
    if (accessKeyId === undefined || secretAccessKey === undefined) return {};
    const keys = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
    return signed(request, keys, { region: site.settings.region ?? "", service: SERVICE }, now);
  },
};

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/**
 * Returns the headers of the signature, which covers method, address, host, content type and body. The signer is loaded
 * on first use.
 */
export async function signed(
  { method, url, headers, body }: Unsigned,
  credentials: Keys,
  scope: { region: string; service: string },
  signingDate: Date,
): Promise<Record<string, string>> {
  const [{ SignatureV4 }, { Hash }] = await Promise.all([import("@smithy/signature-v4"), import("@smithy/core/serde")]);
  const { protocol, host, hostname, pathname, searchParams } = new URL(url);
  const signer = new SignatureV4({ ...scope, credentials, sha256: Hash.bind(null, "sha256"), applyChecksum: true });
  const contentType = headers["content-type"];
  const request = await signer.sign(
    {
      method,
      protocol,
      hostname,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { host, ...(contentType !== undefined && { "content-type": contentType }) },
      ...(body !== undefined && { body }),
    },
    { signingDate },
  );
  const { host: _host, "content-type": _type, ...added } = request.headers;
  return added;
}
