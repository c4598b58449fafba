import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { Popover } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { Exception } from "@/lib/records/exceptions/contract";
import { activeExceptionsQuery } from "./exception-queries";

/** Button with the number of active exceptions to a guardrail. Opens their list; renders nothing for zero. */
export function ActiveExceptions({ guardrailId }: { guardrailId: string }) {
  const { data: exceptions = [], total_count: count = 0 } = useQuery(activeExceptionsQuery(guardrailId)).data ?? {};
  if (count === 0) return null;
  return (
    <Popover
      label="Active exceptions"
      trigger={
        <Button size="sm" variant="ghost" className="-mx-2.5 text-warning underline underline-offset-2">
          {count === 1 ? "1 active exception" : `${count} active exceptions`}
        </Button>
      }
    >
      <ul className="grid gap-3">
        {exceptions.map((exception) => (
          <ActiveException key={exception.id} exception={exception} />
        ))}
      </ul>
      {count > exceptions.length && <p className="mt-3 text-[13px] text-muted">{count - exceptions.length} more</p>}
    </Popover>
  );
}

/** The key or member, linked to the page that shows and ends the exception. */
function ActiveException({
  exception: { key_hash, key_name, user_id, user_name, reason, expires_at },
}: {
  exception: Exception;
}) {
  const subject = key_hash === null ? `/members/${user_id}` : `/keys/${key_hash}`;
  return (
    <li className="grid gap-0.5">
      <TextLink href={subject} className="justify-self-start wrap-anywhere">
        {key_name ?? user_name ?? "Former member"}
      </TextLink>
      <span className="text-[13px] wrap-anywhere">{reason}</span>
      <span className="text-[13px] text-muted">
        Ends <RelativeTime at={expires_at} isUpcoming />
      </span>
    </li>
  );
}
