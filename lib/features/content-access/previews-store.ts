import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";

interface Found {
  createdAt: Date;
  id: string;
}

interface PreviewTexts {
  generation_id: string;
  prompt: string | null;
  completion: string | null;
}

/** Loads the beginnings of the first user message and of the completion of each generation with content. */
export async function previewTexts(
  db: Database,
  found: readonly Found[],
  characters: number,
): Promise<Map<string, PreviewTexts>> {
  if (found.length === 0) return new Map();
  const places = Prisma.join(found.map(({ createdAt, id }) => Prisma.sql`(${createdAt}::timestamptz, ${id})`));
  const rows = await db.$queryRaw<PreviewTexts[]>`
    SELECT generation_id, left(completion, ${characters}::int) AS completion, (
      SELECT left(CASE jsonb_typeof(message -> 'content')
        WHEN 'string' THEN message ->> 'content'
        WHEN 'array' THEN (
          SELECT string_agg(part ->> 'text', E'\n' ORDER BY place)
          FROM jsonb_array_elements(message -> 'content') WITH ORDINALITY AS parts(part, place)
          WHERE jsonb_typeof(part -> 'text') = 'string')
        END, ${characters}::int)
      FROM jsonb_array_elements(input -> 'messages') WITH ORDINALITY AS messages(message, place)
      WHERE message ->> 'role' = 'user' ORDER BY place LIMIT 1
    ) AS prompt
    FROM generation_contents WHERE (created_at, generation_id) IN (${places})`;
  return new Map(rows.map((row) => [row.generation_id, row]));
}
