import "server-only";
import { arrayText, type ArrayParameter } from "./array-parameter";
import type { Database } from "./transaction";
import { processWide } from "../process-wide";

/** An SQL statement that a connection parses and plans once. Its name identifies the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Parameter in PostgreSQL's text format, or an array of such values. */
export type Parameter = string | null | ArrayParameter;

/** Returns a parameter in PostgreSQL's text format. */
export const parameterText = (parameter: Parameter): string | null =>
  typeof parameter === "object" && parameter !== null ? arrayText(parameter) : parameter;

export type RunStatement = (statement: Statement, values: readonly Parameter[]) => Promise<readonly unknown[]>;

/** Failure of a statement. The code is PostgreSQL's, the system's for a connection, or "ConnectionClosed". */
export class StatementError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super("a statement failed", { cause });
    const { code } = (cause ?? {}) as { code?: unknown };
    // The driver reports a lost connection without a code.
    this.code = typeof code === "string" ? code : "ConnectionClosed";
  }
}

/** Drivers of open databases. */
const drivers = processWide("statements", () => new WeakMap<object, RunStatement>());

/** Lets `runStatement` use the driver below the client. */
export function attachStatements(db: object, run: RunStatement): void {
  drivers().set(db, run);
}

/** Runs a prepared statement without Prisma and its serialization. In a transaction, whose handle has no driver, Prisma runs the text. */
export async function runStatement(db: Database, statement: Statement, values: readonly Parameter[]): Promise<void> {
  const run = drivers().get(db);
  if (run) await prepared(run, statement, values);
  else await db.$executeRawUnsafe(statement.text, ...values.map(parameterText));
}

/**
 * Returns the rows of a prepared statement, read without Prisma. Drivers convert only texts, booleans, 32-bit integers, timestamps and
 * JSON alike; cast other columns to text.
 */
export async function readStatement<Row>(
  db: Database,
  statement: Statement,
  values: readonly Parameter[],
): Promise<readonly Row[]> {
  const run = drivers().get(db);
  if (!run) return db.$queryRawUnsafe<Row[]>(statement.text, ...values.map(parameterText));
  return (await prepared(run, statement, values)) as readonly Row[];
}

async function prepared(run: RunStatement, statement: Statement, values: readonly Parameter[]) {
  try {
    return await run(statement, values);
  } catch (error) {
    throw new StatementError(error);
  }
}
