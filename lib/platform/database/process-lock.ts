import "server-only";
import { openDataFolder } from "../data-folder";
import { lockFolder } from "../process-lock.mjs";
import { StartError } from "../start-error";

interface Holder {
  pid: number;
  host?: string;
}

const nameOf = ({ pid, host }: Holder): string => `process ${pid}${host === undefined ? "" : ` on ${host}`}`;

/**
 * Locks the data folder for this process and returns the release function; fails with a line naming the process that
 * has it.
 */
export async function lockDataFolder(
  folder: string,
  times: { beatMs?: number; silentMs?: number } = {},
): Promise<() => void> {
  openDataFolder(folder);
  const { release, holder } = await lockFolder(folder, {
    ...times,
    onWait: (owner, silentMs) => {
      process.stdout.write(
        `The data folder ${folder} was locked by ${nameOf(owner)}, which can't be seen from here: waiting up to ${silentMs / 1000} s to find out whether it runs\n`,
      );
    },
    onLost: () => {
      process.stderr.write(
        `Signalbox stops: another process has taken over the data folder ${folder}, because this one was suspended\n`,
      );
      process.exit(1);
    },
  });
  if (holder === null) return release;
  throw new StartError(
    `The data folder ${folder} is in use by ${nameOf(holder)}. Stop that process, or set SIGNALBOX_DATA_DIR to another folder`,
  );
}
