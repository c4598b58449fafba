import "server-only";
import type pg from "pg";

/**
 * Runs consecutive statements on one connection, which is returned to the pool at the end. This saves the time of taking a connection
 * for each statement, and its session has their plans. Concurrent statements use the pool.
 */
export class KeptConnection {
  #connection: pg.PoolClient | null = null;
  #isBusy = false;

  constructor(private readonly pool: pg.Pool) {}

  async query<Row extends object>(statement: pg.QueryConfig): Promise<Row[]> {
    // The pool adds its callback to the object, which would receive the rows of the next run.
    if (this.#isBusy) return (await this.pool.query<Row>({ ...statement })).rows;
    this.#isBusy = true;
    try {
      this.#connection ??= await this.#take();
      return (await this.#connection.query<Row>(statement)).rows;
    } catch (error) {
      this.#giveBack(true);
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Returns the connection, so that the pool can end. */
  release(): void {
    this.#giveBack(false);
  }

  async #take(): Promise<pg.PoolClient> {
    const connection = await this.pool.connect();
    connection.once("end", () => {
      if (this.#connection === connection) this.#giveBack(true);
    });
    return connection;
  }

  /** @param isBroken True if the connection can't be used again. */
  #giveBack(isBroken: boolean): void {
    this.#connection?.release(isBroken);
    this.#connection = null;
  }
}
