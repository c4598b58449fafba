import "server-only";
import { AttemptFailed } from "../../engine/protocols/upstream-failure";
import type { Report } from "../../engine/protocols/observe";
import type { Context } from "../../platform/context";
import { storeFailure } from "../../platform/database/store-failure";
import { logger } from "../../platform/logger";

/** Reports the end of a stream, whose status has been sent: a failed record becomes the stream's last event. */
export const streamedReport =
  (report: Report, { now, arrivedAt, requestId }: Context): Report =>
  async (...answer) => {
    try {
      const receipt = await report(...answer);
      await receipt.recorded;
      return receipt;
    } catch (err) {
      logger().error({ err, requestId }, "a streamed answer could not be recorded");
      const unrecorded = new AttemptFailed(storeFailure(err)?.status ?? null, "The response could not be recorded");
      const completedAt = Math.floor((now.getTime() + performance.now() - arrivedAt) / 1000);
      return { costUsd: 0, completedAt, unrecorded };
    }
  };
