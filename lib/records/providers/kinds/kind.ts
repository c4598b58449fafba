import type { ProviderSettings } from "../kinds-contract";

/** Decrypted secrets of a provider. */
export interface Credentials {
  apiKey: string | null;
  /** Secrets of kinds that need more than an API key, by name. */
  named: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

/** Base URL and settings of a provider. */
export interface Site {
  baseUrl: string;
  settings: ProviderSettings;
}

/** A request by protocol: path below the base URL, and model. */
export interface Call {
  path: string;
  model: string;
  isStream?: boolean;
}

/** A request before authentication. */
export interface Unsigned {
  method: "GET" | "POST";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** Facts besides secrets that authentication may need. */
export interface Surroundings {
  site: Site;
  now: Date;
  /** Sends a request to the internet like a request to the provider. */
  send: (request: Unsigned) => Promise<Response>;
}

/** Headers that authenticate a request. */
export type Authentication = Readonly<Record<string, string>>;

/** A kind of provider, with its addresses and its authentication. */
export interface Kind {
  urlOf: (site: Site, call: Call) => string;
  /** Returns the body in the kind's format; absent when it is the protocol's. */
  bodyOf?: (call: Call, body: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Returns the address of the list of models; null when the kind has none. */
  modelsUrlOf: (site: Site) => string | null;
  /** Authenticates exactly this request. Returns synchronously for kinds that need no other request. */
  authenticate: (
    credentials: Credentials,
    request: Unsigned,
    surroundings: Surroundings,
  ) => Authentication | Promise<Authentication>;
}

/** Joins a base URL and a path, with or without a trailing slash on the base. */
export const joined = (baseUrl: string, path: string): string => baseUrl.replace(/\/+$/, "") + path;
