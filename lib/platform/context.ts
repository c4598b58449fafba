import type { KeyLimit } from "../engine/budgets/budget-rule";
import type { Database } from "./database/transaction";
import type { Env } from "./env";
import { holds, workspacesWith, type Grants, type Workspaces } from "./grants";
import type { Permission } from "./permissions";
import type { Signal } from "./signal";
import type { TracePosition } from "./telemetry/trace-context";

/** A workload by the issuer and the subject of its token. */
export interface Workload {
  issuer: string;
  subject: string;
}

/** The authenticated caller, trusted by services. */
export type Caller =
  | {
      kind: "key";
      keyKind: "management" | "inference";
      keyId: string;
      keyName: string;
      organizationId: string;
      /** The key's workspace; the organization's default workspace for a management key. */
      workspaceId: string;
      /** The member who created the key. */
      userId: string | null;
      limit: KeyLimit;
      /** Empty for an inference key. */
      grants: Grants;
      /** Tags of the key and of the member who created it; absent for none. */
      tags?: readonly string[];
      /** The workload whose token was exchanged for the key; absent for the key itself. */
      workload?: Workload;
      /** The member who sends with the key from the console; absent for requests with the key itself. */
      sentByUserId?: string;
    }
  | {
      kind: "session";
      sessionId: string;
      organizationId: string;
      /** The organization's default workspace. */
      workspaceId: string;
      userId: string;
      userName: string;
      grants: Grants;
    };

/** A directory that provisions members and groups by SCIM. */
export interface ScimCaller {
  kind: "scim";
  tokenId: string;
  tokenName: string;
  organizationId: string;
}

/** Attributes reported by the client; truncated and stored with generations. */
export interface ClientAttributes {
  httpReferer: string | null;
  appTitle: string | null;
  appCategories: string | null;
  userAgent: string | null;
  sessionId: string | null;
  /** The end user for whom the client sends the request; absent when it names none. */
  endUser?: string | null;
  /** Beta features that a client of Anthropic's API requests. */
  anthropicBeta?: string | null;
  /** Beta features that a client of OpenAI requests, from `OpenAI-Beta`. */
  openaiBeta?: string | null;
  wantsMetadata: boolean;
  /** True when the client accepts server-sent events. */
  wantsEvents: boolean;
  /** True when the client accepts YAML. */
  wantsYaml: boolean;
}

/** All dependencies of a service besides its input. Time is a value; `db` may be a transaction. */
export interface Context extends PublicContext {
  readonly caller: Caller;
  /** The permission of an operation with `byWorkspace`: its objects are those of workspaces where the caller has it. */
  readonly narrowedBy?: Permission;
}

/** The context of SCIM operations. */
export interface ScimContext extends PublicContext {
  readonly caller: ScimCaller;
}

/** The context of what both the API's callers and a directory do. */
export type ActorContext = Context | ScimContext;

/** The context of public operations. */
export interface PublicContext {
  readonly db: Database;
  readonly settings: Env;
  readonly now: Date;
  /** Arrival of the request in milliseconds on the process's monotonic clock. */
  readonly arrivedAt: number;
  /** The request's place in a trace. */
  readonly trace: TracePosition;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly requestId: string;
  /** Scheme and host used by the client: `https://signalbox.example`. */
  readonly origin: string;
  /** The query as it was sent, which some signatures cover. */
  readonly search: string;
  readonly ip: string | null;
  /** Tokens of the browser's cookies; not necessarily valid. */
  readonly sessionToken: string | null;
  readonly deviceToken: string | null;
  /** The sign-in through an identity provider that the browser has begun. */
  readonly flowToken: string | null;
  readonly client: ClientAttributes;
  /** The revisions in `If-Match`; null when the header is missing or `*`. */
  readonly ifMatch: readonly number[] | null;
  /** Aborted when the client disconnects. */
  readonly signal: Signal;
  /** Response headers, also sent when the service throws. */
  readonly headers: Headers;
}

/** True for a console session without the permission for the whole organization: it sees its member's own data. */
export const ownOnly = (caller: Caller, permission: Permission): caller is Caller & { kind: "session" } =>
  caller.kind === "session" && !holds(caller, permission);

/** Rows that a caller reaches: those of workspaces, and those of a member. */
export interface Reach {
  workspaces: Workspaces;
  /** Null without rows of its own: for a key, and for callers that reach everything. */
  userId: string | null;
}

/** Returns what a caller reaches by a permission: its workspaces, and a member's own. */
export const reachOf = (caller: Caller, permission: Permission): Reach => ({
  workspaces: workspacesWith(caller, permission),
  userId: ownOnly(caller, permission) ? caller.userId : null,
});

/** Returns the workspaces whose objects the operation of this request may use. */
export const workspacesOf = ({ caller, narrowedBy }: Pick<Context, "caller" | "narrowedBy">): Workspaces =>
  narrowedBy === undefined ? "all" : workspacesWith(caller, narrowedBy);
