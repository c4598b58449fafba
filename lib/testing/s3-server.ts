import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

const BUCKET = "contents";

/** An S3 server that checks signatures, with one bucket. */
export interface S3Server {
  /** Connection settings of the bucket, with its path as part of the URL. */
  settings: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string };
  /** Paths of all files in which objects are stored. */
  files: () => Promise<string[]>;
  read: (file: string) => Promise<Buffer>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts an S3 server with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-s3-"));
  const serverOn = (port: number) =>
    new S3rver({ address: "127.0.0.1", port, silent: true, directory, configureBuckets: [{ name: BUCKET }] });
  let server = serverOn(0);
  const { port } = await server.run();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      bucket: BUCKET,
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
    },
    files: () => readdir(join(directory, BUCKET), { recursive: true }),
    read: (file) => readFile(join(directory, BUCKET, file)),
    stop: () => server.close(),
    start: async () => {
      server = serverOn(port);
      await server.run();
    },
    close: async () => {
      await server.close().catch(() => undefined);
      await rm(directory, { recursive: true });
    },
  };
}
