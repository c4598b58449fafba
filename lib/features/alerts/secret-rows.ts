import "server-only";
import type { AlertRule } from "../../../prisma/generated/client";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";

const PURPOSE = "alert channels";

type Row = Pick<AlertRule, "organizationId" | "id">;
const placeOf = ({ organizationId, id }: Row) => `${organizationId}/${id}`;

export const sealSlackUrl = ({ secretKey }: Env, rule: Row, url: string): string =>
  encrypt(secretKey, PURPOSE, placeOf(rule), url);

export const openSlackUrl = ({ secretKey, previousSecretKeys }: Env, rule: Row, sealed: string): string =>
  decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(rule), sealed);
