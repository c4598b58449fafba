import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import type { HeldPermissions, PermissionSource } from "@/lib/records/groups/permissions-contract";

/** "Policy editor in Search, by group Leads". */
function sourceText({ role_name, group, workspace }: PermissionSource): string {
  const place = workspace ? ` in ${workspace.name}` : "";
  return group ? `${role_name}${place}, by group ${group.name}` : `${role_name}${place}`;
}

const keyOf = ({ role, group, workspace }: PermissionSource) => `${role} ${group?.id ?? ""} ${workspace?.id ?? ""}`;

interface HeldPermissionsTableProps {
  held: HeldPermissions;
  /** Links roles and groups to their pages, for users who may see them. */
  isLinked?: boolean;
}

/** Each permission with the roles and groups that give it. */
export function HeldPermissionsTable({ held, isLinked = false }: HeldPermissionsTableProps) {
  return (
    <table className="block w-full text-sm md:table" aria-label={`Permissions of ${held.subject.name}`}>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="text-left text-[13px] text-muted">
          <th scope="col" className="py-2 pr-4 font-medium">
            Permission
          </th>
          <th scope="col" className="py-2 font-medium">
            Given by
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y md:table-row-group">
        {held.permissions.map(({ permission, description, sources }) => (
          <tr key={permission} className="grid gap-1 py-2 md:table-row">
            <th scope="row" className="text-left font-normal md:py-2 md:pr-4 md:align-top">
              <code className="font-mono text-[13px]">{permission}</code>
              <span className="block text-[13px] text-muted">{description}</span>
            </th>
            <td className="md:py-2 md:align-top">
              {sources.length === 0 ? (
                <span className="text-muted">Not permitted</span>
              ) : (
                <ul className="flex flex-wrap gap-1">
                  {sources.map((source) => (
                    <li key={keyOf(source)} className="max-w-full">
                      <Badge
                        tone={source.workspace ? "neutral" : "success"}
                        className="h-auto min-h-5 whitespace-normal"
                      >
                        {isLinked ? (
                          <Link href={hrefOf(source)} className="underline-offset-2 hover:underline">
                            {sourceText(source)}
                          </Link>
                        ) : (
                          sourceText(source)
                        )}
                      </Badge>
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const hrefOf = ({ role, group }: PermissionSource) =>
  group ? `/members/groups?group=${group.id}` : `/members/roles?role=${encodeURIComponent(role)}`;
