import "server-only";
import type pg from "pg";

/**
 * Runs statements that follow each other on one connection, which the pool gets back at the end only: taking it for each
 * statement costs time, and its session has their plans. Statements beside a running one are the pool's.
 */
export class KeptConnection {
  #connection: pg.PoolClient | null = null;
  #isBusy = false;

  constructor(private readonly pool: pg.Pool) {}

  async query<Row extends object>(statement: pg.QueryConfig): Promise<Row[]> {
    // The pool adds its callback to the object, which would take the rows of the next run.
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

  /** Gives the connection back, so that the pool can end. */
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

  /** @param isBroken As the pool's own statements, one that fails ends its connection. */
  #giveBack(isBroken: boolean): void {
    this.#connection?.release(isBroken);
    this.#connection = null;
  }
}
