import "server-only";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type { Range } from "../../records/generations/vocabulary";
import type { listKeys } from "../../records/keys/contract";
import type { ReadSpends } from "../../records/generations/range-spend";
import * as keys from "../../records/keys/service";
import type { listMembers } from "../../records/members/contract";
import * as members from "../../records/members/service";
import { endsOf } from "./range";
import type { Counted } from "./tables";
import { consistently, rangeSpendQuery, type RangeSpendRow } from "./usage-store";

/** The keys, with their spend in a range if the query has one. */
export const keysWithSpend = (context: Context, input: Input<typeof listKeys>): Promise<Result<typeof listKeys>> =>
  keys.list(
    context,
    input,
    readerOf(context, "key", input.query.range, (rows) => ({ key_hash: rows.map(({ hash }) => hash) })),
  );

/** The members, with the spend of their keys in a range if the query has one. */
export const membersWithSpend = (
  context: Context,
  input: Input<typeof listMembers>,
): Promise<Result<typeof listMembers>> =>
  members.list(
    context,
    input,
    readerOf(context, "member", input.query.range, (rows) => ({ user_id: rows.map(({ id }) => id) })),
  );

const readerOf =
  <Row>(
    context: Context,
    group: "key" | "member",
    range: Range = "7d",
    filtersOf: (rows: readonly Row[]) => Counted["filters"],
  ): ReadSpends<Row> =>
  async (rows) => {
    if (rows.length === 0) return new Map();
    const of = {
      ...endsOf({ range }, context.now),
      // The rows are those that the caller sees.
      scope: { organizationId: context.caller.organizationId, userId: null },
      filters: rows === "all" ? {} : filtersOf(rows),
      previousFrom: null,
      bucketSeconds: null,
    };
    return consistently(
      context.db,
      context.caller.organizationId,
      async (db, progress) => {
        const found = await db.$queryRaw<RangeSpendRow[]>(rangeSpendQuery({ ...of, progress }, group));
        return new Map(found.map(({ id, ...sums }) => [id, sums]));
      },
      { path: "range" },
    );
  };
