import type { requestOf } from "@/lib/browser/api-client";
import { failureOf } from "@/lib/browser/api-failure";
import { EXPORT_TOTAL_HEADER } from "@/lib/platform/http/vocabulary";

export interface ExportProgress {
  records: number;
  /** Null if the total is above the counted maximum, or isn't counted. */
  total: number | null;
}

const NEWLINE = 10;

const lines = (chunk: Uint8Array) => chunk.reduce((sum, byte) => (byte === NEWLINE ? sum + 1 : sum), 0);

/** Reads an export stream to its end and reports progress. Aborting the signal also stops it on the server. */
export async function downloadExport(
  { url, init }: ReturnType<typeof requestOf>,
  onProgress: (progress: ExportProgress) => void,
): Promise<void> {
  const response = await fetch(url, init);
  if (!response.ok || !response.body) throw await failureOf(response);
  const counted = Number(response.headers.get(EXPORT_TOTAL_HEADER) ?? NaN);
  const total = Number.isNaN(counted) ? null : counted;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  let records = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    records += lines(next.value);
    onProgress({ records, total });
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "export";
  offerFile(new Blob(parts, { type: response.headers.get("content-type") ?? "" }), name);
}

/** Has the browser save a file. */
export function offerFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
