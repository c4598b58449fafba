import "server-only";
import type { Notification } from "../../../prisma/generated/client";
import type { Env } from "../../platform/env";
import { decrypt, encrypt } from "../../platform/secrets";
import type { Payload } from "./message";

const PURPOSE = "notifications";

type Row = Pick<Notification, "organizationId" | "id">;
const placeOf = ({ organizationId, id }: Row) => `${organizationId}/${id}`;

/** Encrypts a message, which may contain a one-time link or a secret URL. */
export const sealPayload = ({ secretKey }: Env, row: Row, payload: Payload): string =>
  encrypt(secretKey, PURPOSE, placeOf(row), JSON.stringify(payload));

export const openPayload = ({ secretKey, previousSecretKeys }: Env, row: Row, sealed: string): Payload =>
  JSON.parse(decrypt([secretKey, ...previousSecretKeys], PURPOSE, placeOf(row), sealed)) as Payload;
