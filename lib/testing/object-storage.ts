import type { BucketSettings } from "../platform/env";
import { Bucket } from "../platform/outbound/s3";
import { startS3Server, type S3Server } from "./s3-server";

export interface ObjectStorage extends Pick<S3Server, "stop" | "start" | "close"> {
  settings: BucketSettings;
  bucket: Bucket;
  /** All keys, in order. */
  keys: () => Promise<string[]>;
}

/** Starts an S3 server that checks signatures, with an empty bucket. */
export async function startObjectStorage(): Promise<ObjectStorage> {
  const { settings: own, stop, start, close } = await startS3Server();
  // On a busy machine, a request may have to wait for a processor.
  const settings: BucketSettings = { ...own, pathStyle: true, writeTimeoutMs: 60_000 };
  const bucket = new Bucket(settings, { allowPrivate: true });
  return { settings, bucket, keys: () => bucket.list("", "", AbortSignal.timeout(10_000)), stop, start, close };
}
