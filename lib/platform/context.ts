import type { KeyLimit } from "../engine/budgets/budget-rule";
import type { Database } from "./database/transaction";
import type { Env } from "./env";

/** Who calls: decided by authentication, trusted by services. */
export type Caller =
  | {
      kind: "key";
      keyKind: "management" | "inference";
      keyId: string;
      keyName: string;
      organizationId: string;
      /** The key's workspace; for a management key the organization's default workspace. */
      workspaceId: string;
      /** The member who created the key. */
      userId: string | null;
      limit: KeyLimit;
    }
  | {
      kind: "session";
      role: "admin" | "member";
      sessionId: string;
      organizationId: string;
      /** The organization's default workspace. */
      workspaceId: string;
      userId: string;
      userName: string;
    };

/** What the client reports about itself; bounded and stored with generations. */
export interface ClientAttributes {
  httpReferer: string | null;
  appTitle: string | null;
  appCategories: string | null;
  userAgent: string | null;
  sessionId: string | null;
  wantsMetadata: boolean;
  /** Accepts server-sent events. */
  wantsEvents: boolean;
  /** Accepts YAML. */
  wantsYaml: boolean;
}

/** Everything a service may depend on besides its input. Time is a value; `db` may be a transaction already. */
export interface Context extends PublicContext {
  readonly caller: Caller;
}

/** The context of operations that anybody may call. */
export interface PublicContext {
  readonly db: Database;
  readonly settings: Env;
  readonly now: Date;
  /** When the request arrived, milliseconds on the process's monotonic clock. */
  readonly arrivedAt: number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly requestId: string;
  /** Scheme and host under which the client reached us: `https://signalbox.example`. */
  readonly origin: string;
  readonly ip: string | null;
  readonly client: ClientAttributes;
  /** The revision named by `If-Match`; null when the header is absent or `*`. */
  readonly ifMatch: readonly number[] | null;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Headers that the answer carries, also when the service throws. */
  readonly headers: Headers;
}

/** True for a member's console session: they see what is theirs. */
export const isOrdinaryMember = (caller: Caller): caller is Caller & { kind: "session"; role: "member" } =>
  caller.kind === "session" && caller.role === "member";
